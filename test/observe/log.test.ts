import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';

import { log } from '../../runtime/observability/log.ts';
import { describeLine } from '../../runtime/observability/terminal.ts';
import { Command, Folder, serverCommand } from '../server/command.ts';
import { freePort } from '../support/postgres.ts';
import { parseRaw, raw } from '../support/raw.ts';
import { testKey } from '../support/server.ts';
import { type Line, linesOf, requestLines } from './lines.ts';

const path = '/api/crm/competitor';
const headers = { authorization: `Bearer ${testKey}` };

const serverIn = (folder: Folder, env: Record<string, string> = {}): Command =>
  serverCommand({ env: { DATABASE_URL: `sqlite:${folder.file('records.db')}`, API_KEYS: testKey, ...env } });

/** A line of a request, apart from what is its own each time. */
const line = (method: string, route: string, status: number, more: Line = {}): Line => ({
  level: 'info',
  time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  method,
  route,
  request_id: expect.stringMatching(/^[\w.:-]{1,64}$/),
  status,
  ms: expect.any(Number),
  bytes: expect.any(Number),
  ...more,
});

describe.concurrent('the log of requests', () => {
  test('has one line for each, with its route and no more of what it was sent', async () => {
    using folder = new Folder();
    await using server = serverIn(folder);
    const url = await server.url();
    const body = '{"competitor_name":"Top secret"}';
    const json = { ...headers, 'content-type': 'application/json' };
    const created = await (await fetch(url + path, { method: 'POST', headers: json, body })).text();
    const { id } = JSON.parse(created) as { id: string };
    await (await fetch(`${url}${path}/${id}`, { headers })).text();
    await fetch(`${url}${path}/${id}`, { method: 'HEAD', headers });
    await (await fetch(`${url}${path}/unheard-of?hidden=1`, { headers })).text();
    await (await fetch(`${url}/unheard-of`)).text();
    await (await fetch(url + path, { headers: { authorization: 'Bearer a-wrong-key' } })).text();
    await raw(Number(new URL(url).port), 'GET / HTTP/9\r\n\r\n');
    const lines = await requestLines(server, 7);
    const bytes = Buffer.byteLength(created);
    expect(lines).toEqual([
      line('POST', path, 201, { bytes }),
      line('GET', `${path}/:id`, 200, { bytes }),
      line('HEAD', `${path}/:id`, 200, { bytes: 0 }),
      line('GET', `${path}/:id`, 400, { code: 'invalid_query' }),
      line('GET', 'none', 404, { code: 'not_found' }),
      line('GET', 'none', 401, { code: 'unauthorized' }),
      line('-', 'none', 400, { code: 'bad_request' }),
    ]);
    const { stdout, stderr } = await server.stop();
    for (const secret of [testKey, 'a-wrong-key', 'Top secret', id, 'unheard-of', 'hidden']) {
      expect(stdout + stderr).not.toContain(secret);
    }
    expect(new Set(lines.map(({ request_id: requestId }) => requestId)).size).toBe(lines.length);
  });

  test('has the request id of the answer: that of the caller where it is safe', async () => {
    using folder = new Folder();
    await using server = serverIn(folder);
    const url = await server.url();
    const answered: (string | null)[] = [];
    for (const id of ['a1.B2:c3_d4-e5', 'x'.repeat(64), 'x'.repeat(65), 'a b', 'a"b', 'ä', '']) {
      const response = await fetch(`${url}${path}/none`, { headers: { ...headers, 'x-request-id': id } });
      const { request_id: requestId } = (await response.json()) as { request_id: string };
      expect(response.headers.get('x-request-id')).toBe(requestId);
      expect(requestId === id).toBe(id === 'a1.B2:c3_d4-e5' || id === 'x'.repeat(64));
      answered.push(requestId);
    }
    const port = Number(new URL(url).port);
    // A request that is refused before it is routed, and a response in pieces.
    const refused = parseRaw(await raw(port, 'GET / HTTP/1.1\r\nHost: a b\r\nX-Request-Id: mine\r\n\r\n'));
    expect(refused.body).toMatchObject({ request_id: 'mine' });
    const broken = parseRaw(await raw(port, 'BROKEN\r\n\r\n'));
    expect(broken.headers.get('x-request-id')).toBe((broken.body as { request_id: string }).request_id);
    const fine = await fetch(`${url}/healthz`);
    answered.push('mine', broken.headers.get('x-request-id'), fine.headers.get('x-request-id'));
    expect((await requestLines(server, 10)).map(({ request_id: requestId }) => requestId)).toEqual(answered);
  });

  test('says of whom the client has left', async () => {
    using folder = new Folder();
    await using server = serverIn(folder);
    const { port } = new URL(await server.url());
    const socket = connect(Number(port), '127.0.0.1');
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.authorization}\r\n`;
    socket.write(`${head}Expect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.destroy();
    const [left] = await requestLines(server, 1);
    expect(left).toMatchObject({ method: 'POST', route: path, aborted: true });
    expect([400, 499]).toContain(left?.['status']);
  });

  test('is complete when the server has stopped', async () => {
    using folder = new Folder();
    await using server = serverIn(folder);
    const url = await server.url();
    await Promise.all(Array.from({ length: 100 }, async () => (await fetch(`${url}/healthz`)).text()));
    const { stdout } = await server.stop();
    expect(linesOf(stdout).filter(({ status }) => status === 200)).toHaveLength(100);
  });

  test.each([
    ['warn', 0, 1],
    ['error', 0, 0],
    ['silent', 0, 0],
    ['debug', 2, 1],
  ])('at LOG_LEVEL=%s has %i requests and %i warnings', async (level, requests, warnings) => {
    using folder = new Folder();
    await using server = serverIn(folder, { LOG_LEVEL: level });
    const url = await server.url();
    await (await fetch(`${url}/healthz`)).text();
    const wrong = await fetch(url + path, { headers: { authorization: 'Bearer wrong' } });
    expect(wrong.headers.get('x-request-id')).toBe(((await wrong.json()) as Line)['request_id']);
    const { stdout, stderr } = await server.stop();
    expect(linesOf(stdout).filter(({ status }) => status !== undefined)).toHaveLength(requests);
    expect(stdout.includes('create table')).toBe(level === 'debug');
    expect(linesOf(stderr)).toHaveLength(warnings);
  });

  test('and of the server has what a start changes in the schema', async () => {
    using folder = new Folder();
    {
      await using first = serverIn(folder);
      await first.url();
      expect(linesOf((await first.stop()).stdout)).toEqual([]);
    }
    using database = new DatabaseSync(folder.file('records.db'));
    database.exec('alter table competitor drop column website');
    await using second = serverIn(folder);
    await second.url();
    const { stdout } = await second.stop();
    expect(linesOf(stdout).map(({ level, msg }) => [level, msg])).toEqual([
      ['info', 'The schema was migrated: 1 step.'],
    ]);
  });

  test('names the process if there are several', async () => {
    using folder = new Folder();
    await using server = serverIn(folder, { WORKERS: '2' });
    const url = await server.url();
    await (await fetch(`${url}/healthz`)).text();
    const [found] = await requestLines(server, 1);
    expect(found).toEqual(line('GET', '/healthz', 200, { pid: expect.any(Number) }));
    expect(found?.['pid']).not.toBe(server.process.pid);
  });
});

test('a server whose output nobody reads any more serves', async () => {
  using folder = new Folder();
  const port = await freePort();
  await using server = serverIn(folder, { PORT: String(port) });
  server.process.stdout.destroy();
  server.process.stderr.destroy();
  const ask = (): Promise<number> =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers }).then(
      ({ status }) => status,
      () => 0,
    );
  await vi.waitFor(async () => expect(await ask()).toBe(200), 10_000);
  // The lines of the first requests have met the broken pipe by then.
  await pause(300);
  expect(await ask()).toBe(200);
  expect((await server.stop()).code).toBe(0);
});

test('a crash loses no line', async () => {
  await using crash = new Command(process.execPath, ['test/observe/crash.ts']);
  const { code, stdout, stderr } = await crash.end();
  expect(code).toBe(1);
  expect(linesOf(stdout)).toEqual([{ level: 'info', time: expect.any(String), msg: 'before the crash' }]);
  expect(linesOf(stderr).map(({ msg, count }) => [msg, count])).toEqual([
    ['a flood', undefined],
    ['a flood', 2],
  ]);
  expect(stderr).toContain('the crash');
});

describe('a flood', () => {
  test('has one line a second for failed requests, with their number and the cause', async () => {
    using folder = new Folder();
    await using server = serverIn(folder);
    const url = await server.url();
    rmSync(folder.file('records.db'));
    const statusOf = async (): Promise<number> => (await fetch(url + path, { headers })).status;
    while ((await statusOf()) !== 503) await pause(20);
    expect(new Set(await Promise.all(Array.from({ length: 200 }, statusOf)))).toEqual(new Set([503]));
    const { stdout, stderr } = await server.stop();
    const all = linesOf(stdout).filter(({ status }) => status === 503).length;
    const lines = linesOf(stderr);
    expect(all).toBeGreaterThan(200);
    expect(lines.length).toBeLessThan(all / 4);
    expect(lines.reduce((sum, { count = 1 }) => sum + Number(count), 0)).toBe(all);
    expect(lines[0]).toMatchObject({
      level: 'warn',
      code: 'unavailable',
      method: 'GET',
      route: path,
      request_id: expect.any(String),
      err: { message: expect.stringContaining('is gone'), stack: expect.any(String) },
    });
    expect(stderr).not.toContain('Bearer');
  });

  test('is one line a second for each kind of event, of so many kinds', () => {
    vi.useFakeTimers();
    const printed = vi.spyOn(console, 'error').mockReturnValue();
    const lines = (): unknown[] => printed.mock.calls.splice(0).map(([message]) => message);
    const note = (message: string): void => log.repeated('warn', message, {});
    try {
      ['a', 'a', 'b', 'a'].forEach(note);
      expect(lines()).toEqual(['a', 'b']);
      vi.advanceTimersByTime(1_000);
      expect(lines()).toEqual(['a']);
      // Still within the second of the last line.
      note('a');
      expect(lines()).toEqual([]);
      vi.advanceTimersByTime(1_000);
      expect(lines()).toEqual(['a']);
      vi.advanceTimersByTime(1_000);
      note('a');
      expect(lines()).toEqual(['a']);
      for (let n = 0; n < 1_000; n++) note(`c${n}`);
      vi.advanceTimersByTime(3_000);
      expect(lines().length).toBeLessThan(60);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      printed.mockRestore();
      vi.useRealTimers();
    }
  });
});

test.each([
  [
    { method: 'GET', route: '/api/x/:id', request_id: 'a', status: 200, ms: 1.234, bytes: 5 },
    'GET /api/x/:id 200 1.2 ms 5 B\n',
  ],
  [
    { method: 'GET', route: '/x', request_id: 'a', status: 404, ms: 1, bytes: 5, code: 'not_found' },
    'GET /x 404 1.0 ms 5 B request_id=a code=not_found\n',
  ],
  [{ level: 'warn', msg: 'Something.', count: 3 }, 'warn Something. count=3\n'],
  [
    { level: 'error', msg: 'Bad.', err: { stack: 'Error: a\n    at b', cause: { stack: 'Error: c' } } },
    'error Bad.\n  Error: a\n      at b\n  Error: c\n',
  ],
])('on a terminal %j is %j', (fields, text) => {
  const printed = describeLine(JSON.stringify({ level: 'info', time: '2026-01-01T00:00:00.000Z', ...fields }));
  expect(printed).toMatch(/^\d\d:\d\d:\d\d /);
  expect(printed.slice('00:00:00 '.length)).toBe(text);
});
