import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';

import { Histogram } from '../../runtime/observability/histogram.ts';
import { descendantsOf } from '../bench/processes.ts';
import { type Command, type CommandOptions, Folder, serverCommand } from '../server/command.ts';
import { asked, until, untilReplaced } from '../server/workers.ts';
import { createPostgres, describePostgres } from '../support/postgres.ts';
import { projectRoot, testKey } from '../support/server.ts';

const path = '/api/crm/competitor';
const headers = { authorization: `Bearer ${testKey}`, 'content-type': 'application/json' };

/** A server with metrics, and what it says of itself. */
class Observed implements AsyncDisposable {
  readonly folder = new Folder();
  readonly command: Command;
  url = '';
  metricsUrl = '';

  constructor(env: CommandOptions['env'] = {}) {
    const database = `sqlite:${this.folder.file('records.db')}`;
    this.command = serverCommand({
      env: { DATABASE_URL: database, API_KEYS: testKey, METRICS_PORT: '0', LOG_LEVEL: 'warn', ...env },
    });
  }

  async start(): Promise<this> {
    this.url = await this.command.url();
    const found = (): string | undefined => /Metrics are on (\S+)/.exec(this.command.stdout)?.[1];
    await until('the metrics are there', () => found() !== undefined);
    this.metricsUrl = found() as string;
    return this;
  }

  async status(method: string, target: string, body?: object, more: Record<string, string> = {}): Promise<number> {
    const init = { method, headers: { ...headers, ...more }, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(this.url + target, init);
    await response.text();
    return response.status;
  }

  /** The series by name and labels, as they are printed. */
  async scrape(url = this.metricsUrl): Promise<Map<string, number>> {
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(
      lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
    );
  }

  /** The series once the database has answered: on a busy machine a look at it may have got no answer in its second. */
  async scrapeWithStore(): Promise<Map<string, number>> {
    for (;;) {
      const metrics = await this.scrape();
      if (metrics.get('store_up') === 1) return metrics;
      await pause(50);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.command[Symbol.asyncDispose]();
    this.folder[Symbol.dispose]();
  }
}

const requests = (method: string, route: string, status: number): string =>
  `http_requests_total{method="${method}",route="${route}",status="${status}"}`;

test.concurrent('metrics are counted by route and status, whatever is requested', async () => {
  await using server = await new Observed().start();
  for (let n = 0; n < 3; n++) expect(await server.status('POST', path, { competitor_name: 'Acme' })).toBe(201);
  for (const id of ['a', 'b', 'c?x=1']) await server.status('GET', `${path}/${id}`);
  for (const unknown of ['/a', '/b', '/c']) await server.status('GET', unknown);
  await server.status('GET', path, undefined, { authorization: 'Bearer wrong' });
  const metrics = await server.scrapeWithStore();
  expect(metrics.get(requests('POST', path, 201))).toBe(3);
  expect(metrics.get(requests('GET', `${path}/:id`, 404))).toBe(2);
  expect(metrics.get(requests('GET', `${path}/:id`, 400))).toBe(1);
  expect(metrics.get(requests('GET', 'none', 404))).toBe(3);
  expect(metrics.get(requests('GET', 'none', 401))).toBe(1);
  expect([...metrics.keys()].filter((name) => name.startsWith('http_requests_total'))).toHaveLength(5);
  const duration = `http_request_duration_seconds_bucket{method="POST",route="${path}",le="+Inf"}`;
  expect(metrics.get(duration)).toBe(3);
  expect(metrics.get('http_wrong_keys_total')).toBe(1);
  expect(metrics.get('http_connections')).toBeGreaterThan(0);
  expect(metrics.get('http_held_bytes')).toBeDefined();
  expect(metrics.get('store_queued_writes')).toBe(0);
  expect(metrics.get('store_group_writes_sum')).toBe(3);
  expect(metrics.get('store_commit_duration_seconds_count')).toBe(metrics.get('store_group_writes_count'));
  expect(metrics.get('store_commit_duration_seconds_sum')).toBeGreaterThan(0);
  expect(metrics.get('store_rows{resource="competitor"}')).toBe(3);
  expect(metrics.get('store_rows{resource="lead"}')).toBe(0);
  expect(metrics.get('store_database_bytes')).toBeGreaterThan(4096);
  expect(metrics.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  expect(metrics.get('process_cpu_seconds_total')).toBeGreaterThan(0);
  expect(metrics.get('process_start_time_seconds')).toBeGreaterThan(1.7e9);
});

test.concurrent('hits and misses of the record cache', async () => {
  await using server = await new Observed().start();
  const created = await fetch(server.url + path, { method: 'POST', headers, body: '{"competitor_name":"Acme"}' });
  const { id } = (await created.json()) as { id: string };
  for (let n = 0; n < 5; n++) await server.status('GET', `${path}/${id}`);
  const metrics = await server.scrapeWithStore();
  expect(metrics.get('store_cache_misses_total')).toBe(2);
  expect(metrics.get('store_cache_hits_total')).toBe(3);
});

test.concurrent(
  'the port of the metrics has nothing else, and a database that is gone is no reason to be silent',
  async () => {
    await using server = await new Observed().start();
    const other = await fetch(server.metricsUrl.replace('/metrics', path), { headers });
    expect(other.status).toBe(404);
    expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
    server.folder[Symbol.dispose]();
    let metrics = await server.scrape();
    while (metrics.get('store_up') !== 0) {
      await pause(50);
      metrics = await server.scrape();
    }
    expect(metrics.get(requests('GET', 'none', 404))).toBe(1);
    expect(await server.command.stop()).toMatchObject({ code: 0 });
  },
);

test.concurrent(
  'each of several processes has its own, on the next ports; its replacement has them on the same one',
  async () => {
    const first = await freePorts(3);
    await using server = await new Observed({ WORKERS: '2', METRICS_PORT: String(first) }).start();
    const main = server.metricsUrl;
    expect(Number(new URL(main).port)).toBe(first);
    const urls = [1, 2].map((n) => main.replace(String(first), String(first + n)));
    const gets = async (): Promise<void> => {
      for (let n = 0; n < 32; n++) await asked(200, server.url, 'GET', path);
    };
    const counts = (): Promise<number[]> =>
      Promise.all(urls.map(async (url) => (await server.scrape(url)).get(requests('GET', path, 200)) ?? 0));
    await gets();
    const [one = 0, other = 0] = await counts();
    expect([one + other, Math.min(one, other) > 0]).toEqual([32, true]);
    const ofMain = await server.scrape(main);
    expect(ofMain.get('webhook_waiting')).toBe(0);
    expect(ofMain.get('process_cpu_seconds_total')).toBeGreaterThan(0);
    expect([...ofMain.keys()].filter((name) => name.startsWith('http_'))).toEqual([]);
    process.kill(descendantsOf(server.command.process.pid as number)[0] as number, 'SIGKILL');
    await untilReplaced(server.command, 1);
    expect([
      [0, other],
      [one, 0],
    ]).toContainEqual(await counts());
    await gets();
    expect((await counts()).every((count) => count > 0)).toBe(true);
  },
);

test.concurrent('a worker whose port is in use says so, and serves without metrics', async () => {
  const first = await freePorts(3);
  await using taken = createServer().listen(first + 2, '127.0.0.1');
  await once(taken, 'listening');
  await using server = await new Observed({ WORKERS: '2', METRICS_PORT: String(first) }).start();
  const warning = `Worker 2 serves no metrics. Port ${first + 2} of 127.0.0.1 is in use.`;
  await until('the worker says so', () => server.command.stderr.includes(warning));
  for (let n = 0; n < 32; n++) await asked(200, server.url, 'GET', path);
  const counted = (await server.scrape(server.metricsUrl.replace(String(first), String(first + 1)))).get(
    requests('GET', path, 200),
  );
  expect(counted, 'the other worker has served the rest').toSatisfy((count: number) => count > 0 && count < 32);
});

/** The first of so many free ports in a row. */
async function freePorts(count: number): Promise<number> {
  for (;;) {
    const servers = [createServer().listen(0, '127.0.0.1')];
    try {
      await once(servers[0] as Server, 'listening');
      const { port } = (servers[0] as Server).address() as AddressInfo;
      for (let n = 1; n < count; n++) {
        servers.push(createServer().listen(port + n, '127.0.0.1'));
        await once(servers[n] as Server, 'listening');
      }
      return port;
    } catch {
      // Another row is tried.
    } finally {
      servers.forEach((server) => server.close());
    }
  }
}

test.concurrent('a port that is in use is named with its setting', async () => {
  await using first = await new Observed().start();
  const { port } = new URL(first.metricsUrl);
  await using second = new Observed({ METRICS_PORT: port });
  const { code, stdout, stderr } = await second.command.end();
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(`Port ${port} of 127.0.0.1 is in use. Stop what uses it, or set METRICS_PORT.`);
});

test.concurrent('without METRICS_PORT nothing of it is loaded, and of a silent log neither', async () => {
  using folder = new Folder();
  const loaded = folder.file('loaded');
  const packages = async (env: Record<string, string>): Promise<string[]> => {
    const options = { NODE_OPTIONS: '--import ./test/support/loaded-modules.ts', LOADED_MODULES: loaded };
    const database = `sqlite:${folder.file('records.db')}`;
    await using server = serverCommand({ env: { DATABASE_URL: database, API_KEYS: testKey, ...options, ...env } });
    await server.url();
    await server.stop();
    const text = readFileSync(loaded, 'utf8');
    return ['prom-client', 'pino'].filter((name) => text.includes(`/node_modules/${name}/`));
  };
  expect(await packages({ LOG_LEVEL: 'silent' })).toEqual([]);
  expect(await packages({})).toEqual(['pino']);
});

describePostgres('over PostgreSQL', () => {
  test('the metrics of the database are there as well', async () => {
    await using database = await createPostgres();
    await using server = await new Observed({ DATABASE_URL: database.url }).start();
    expect(await server.status('POST', path, { competitor_name: 'Acme' })).toBe(201);
    const metrics = await server.scrapeWithStore();
    expect(metrics.get('store_up')).toBe(1);
    expect(metrics.get('store_rows{resource="competitor"}')).toBe(1);
    expect(metrics.get('store_database_bytes')).toBeGreaterThan(1_000_000);
    expect(metrics.get('store_commit_duration_seconds_count')).toBe(1);
    expect(metrics.get('store_connections')).toBeGreaterThan(0);
  });
});

describe('what reads the metrics', () => {
  /** The names of metrics in expressions of PromQL: all words but functions, keywords, labels and durations. */
  const namesIn = (expression: string): string[] =>
    expression
      .replaceAll(/\{[^}]*\}|"[^"]*"|\[[^\]]*\]|\b(?:by|without|on|ignoring) ?\([^)]*\)/g, ' ')
      .match(/[a-z_:][\w:]*(?!\w|\s*\()/g)
      ?.filter((word) => !['and', 'or', 'unless', 'by'].includes(word)) ?? [];

  test('names only metrics that there are', async () => {
    const dashboard = readFileSync(join(projectRoot, 'docs/grafana-dashboard.json'), 'utf8');
    const { panels } = JSON.parse(dashboard) as { panels: { title: string; targets: { expr: string }[] }[] };
    const operations = readFileSync(join(projectRoot, 'docs/operations.md'), 'utf8');
    const alerts = [...operations.matchAll(/^```promql\n(.*?)^```/gms)].flatMap(([, text = '']) =>
      text.trim().split('\n'),
    );
    expect(alerts.length).toBeGreaterThan(5);
    const expressions = [...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)), ...alerts];
    await using server = await new Observed().start();
    expect(await server.status('POST', path, { competitor_name: 'Acme' })).toBe(201);
    const known = new Set([...(await server.scrapeWithStore()).keys()].map((series) => series.replace(/\{.*/, '')));
    for (const expression of expressions) {
      const names = namesIn(expression.replaceAll('$__rate_interval', '5m'));
      expect(names.length, expression).toBeGreaterThan(0);
      for (const name of names) expect(known, expression).toContain(name);
    }
    const used = new Set(expressions.flatMap(namesIn));
    // Every metric of the service is shown or watched.
    for (const name of known) {
      if (/^(?:http|store)_/.test(name) && !/_(?:sum|count)$/.test(name)) expect(used).toContain(name);
    }
  });
});

test('a histogram has each value in one bucket: that of the first limit which it does not exceed', () => {
  const histogram = new Histogram([1, 2, 5]);
  for (const value of [0, 1, 1.5, 2, 5, 6, 100]) histogram.observe(value);
  expect(histogram).toMatchObject({ counts: [2, 2, 1, 2], sum: 115.5 });
});
