/**
 * Makes a database of this version on each engine, for `FOLDER/spec`, and writes it as text into `FOLDER/sqlite.sql` and
 * `FOLDER/postgres.sql`, with what it shows over HTTP into `FOLDER/shown-….json`. It is run once for each format, at the
 * commit that has it; later versions start on these files. Needs sqlite3 and pg_dump.
 *
 *   node test/formats/make.ts test/formats/first postgres://…/an_empty_database
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { readSpecs } from '../../generator/read/spec-files.ts';
import { generate } from '../../generator/generate.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const [target = '', postgresUrl = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(root, 'test/.tmp-format-'));

type Body = Record<string, unknown>;

async function generateCode(): Promise<void> {
  const { files, diagnostics } = await generate(readSpecs(target));
  if (diagnostics.length > 0) throw new Error(JSON.stringify(diagnostics, undefined, 2));
  for (const [path, text] of files) {
    const file = join(folder, 'generated', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  symlinkSync(join(root, 'runtime'), join(folder, 'runtime'));
}

/** A server of this version, and its commands. */
class Served {
  #process: ChildProcess | undefined;
  #url = '';
  readonly #env: NodeJS.ProcessEnv;

  constructor(url: string) {
    this.#env = {
      ...process.env,
      DATABASE_URL: url,
      API_KEYS: 'key-of-the-environment',
      PORT: '0',
      WEBHOOK_PRIVATE: 'on',
    };
  }

  async start(): Promise<void> {
    const child = spawn(process.execPath, [join(folder, 'generated/server.ts')], { env: this.#env });
    this.#process = child;
    child.stderr.pipe(process.stderr);
    for await (const data of child.stdout) {
      this.#url = /http:\/\/[\d.:]+/.exec(String(data))?.[0] ?? '';
      if (this.#url !== '') break;
    }
  }

  async stop(): Promise<void> {
    this.#process?.kill();
    await once(this.#process as ChildProcess, 'exit');
  }

  /** @returns what a command prints for other programs */
  run(...args: string[]): string {
    const program = [join(folder, 'generated/server.ts'), ...args];
    return execFileSync(process.execPath, program, { env: this.#env, encoding: 'utf8' }).trim();
  }

  async ask(
    key: string,
    method: string,
    path: string,
    body?: Body,
    headers: Record<string, string> = {},
  ): Promise<Body> {
    const response = await fetch(this.#url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = (await response.json()) as Body;
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`);
    return answer;
  }
}

const text = `"Zoë" 'Ωμ' 🙂 \\ %s\n\t`;

const boats: readonly Body[] = [
  { name: 'Dinghy', mooring: null },
  {
    name: text,
    mooring: 'North quay',
    built_on: '1999-12-31',
    checked_at: '2026-03-01T10:00:00.5+02:00',
    opens_at: '06:00:00Z',
    serial: '9f86d081-884c-4d65-9a2f-000000000001',
    contact: 'harbour@example.com',
    manual: 'https://example.com/boat?a=b&c=%22',
    seats: Number.MAX_SAFE_INTEGER,
    length: 1e-7,
    is_ready: false,
    price: '9999999999.99',
    weather: 'windy',
    tags: ['fast', `a "b", c`, 'ß'],
    depths: [0, 12],
  },
  { name: 'Canoe', mooring: '', seats: 2, length: -0.1, price: '-0.50', tags: [], depths: null, weather: 'calm' },
];

/** Fills a database by all ways of writing. @returns the keys, and the answer to a keyed request */
async function fill(served: Served, receiver: string): Promise<Body> {
  served.run('organizations', 'create', 'harbour');
  const key = served.run('keys', 'create', '--name', 'Office', '--scope', '*', '--rate', '6000/m');
  const other = served.run('keys', 'create', '--name', 'Port', '--scope', 'club', '--organization', 'harbour');
  const revoked = served.run('keys', 'create', '--name', 'Lost', '--scope', '*');
  served.run('keys', 'revoke', revoked.slice(0, 14));
  const webhook = 'webhooks';
  served.run(webhook, 'create', '--url', receiver, '--events', 'club/member:create,club/trip');
  const create = (path: string, body: Body): Promise<Body> => served.ask(key, 'POST', `/api/club/${path}`, body);
  const zoe = await create('member', {
    name: 'Zoë Ångström',
    email: 'Zoe@Example.com',
    team: 'red',
    number: 1,
    card: 'AB123',
  });
  await create('member', {
    name: 'Ada',
    team: 'red',
    number: null,
    born_on: '2001-02-03',
    sponsor_id: zoe['id'],
    level: 'full',
  });
  await create('member', { name: 'Bob', email: 'bob@example.com', notes: 'rows, sails', born_on: '1980-01-01' });
  await served.ask(other, 'POST', '/api/club/member', { name: 'Eve', email: 'zoe@example.com', card: 'AB123' });
  const ids: Body[] = [];
  for (const boat of boats) ids.push(await create('boat', { ...boat, seen_at: '2026-05-05T05:05:05Z' }));
  const trips: Body[] = [];
  for (const [at, title] of ['Round the lake', 'To the sea', 'Nowhere'].entries()) {
    trips.push(await create('trip', { title, member_id: zoe['id'], boat_id: at === 2 ? null : ids[at]?.['id'] }));
    const legs: Body[] = [];
    for (const place of ['Pier', 'Island', 'Pier again'].slice(at)) {
      legs.push(await create('trip-leg', { trip_id: trips[at]?.['id'], place, fee: `${at + 1}2.5` }));
    }
    if (at > 0) continue;
    const items = legs.toReversed().map(({ id }, idx) => ({ id, idx: idx + 1 }));
    await served.ask(key, 'POST', '/api/club/trip-leg/reorder', { items });
  }
  const [first, second, third] = trips.map(({ id }) => `/api/club/trip/${String(id)}`) as [string, string, string];
  await served.ask(key, 'POST', `${first}/start`);
  await served.ask(key, 'POST', `${first}/finish`);
  await served.ask(key, 'PATCH', second, { title: 'To the open sea' });
  await served.ask(key, 'DELETE', third);
  const { id } = await served.ask(key, 'GET', '/api/club/club-settings');
  await served.ask(key, 'PATCH', `/api/club/club-settings/${String(id)}`, { season: 'winter', rate: '19.5' });
  const keyed = { key: 'once', path: '/api/club/boat', body: { name: 'Raft', mooring: 'East quay' } };
  const answer = await served.ask(key, 'POST', keyed.path, keyed.body, { 'idempotency-key': keyed.key });
  return { key, other, keyed: { ...keyed, answer }, deleted: trips[2], finished: trips[0] };
}

const paths = [
  '/api/club/member?limit=1000',
  '/api/club/member?q=zoe',
  '/api/club/member?born_on[lt]=2000-01-01',
  '/api/club/member?sort=number,name',
  '/api/club/boat?limit=1000',
  '/api/club/boat?tags[has]=fast',
  '/api/club/boat?price[lt]=0&weather=calm',
  '/api/club/boat?sort=-price&limit=2',
  '/api/club/boat?checked_at[gte]=2026-03-01T08:00:00Z',
  '/api/club/trip?expand=trip-leg,member_id',
  '/api/club/trip?status=over&fee[gte]=37.50',
  '/api/club/club-settings',
  '/api/events?limit=1000',
];

async function make(engine: string, url: string, dump: () => string): Promise<void> {
  const delivered: unknown[] = [];
  const receiver = createServer((request, response) => {
    delivered.push(request.url);
    request.resume();
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const served = new Served(url);
  await served.start();
  const kept = await fill(served, `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`);
  while (delivered.length < 8) await new Promise((resolve) => setTimeout(resolve, 100));
  served.run('webhooks', 'pause', /webhook_\w+/.exec(served.run('webhooks', 'list'))?.[0] ?? '');
  const shown: Body = {};
  for (const path of paths) shown[path] = await served.ask(String(kept['key']), 'GET', path);
  const others = { '/api/club/member': await served.ask(String(kept['other']), 'GET', '/api/club/member') };
  await served.stop();
  receiver.close();
  writeFileSync(join(target, `shown-${engine}.json`), `${JSON.stringify({ ...kept, shown, others })}\n`);
  writeFileSync(join(target, `${engine}.sql`), dump());
}

const isUseful = (line: string): boolean => !/^(?:--.*|SET .*|\\.*|SELECT pg_catalog[.]set_config.*|)$/.test(line);

await generateCode();
try {
  const file = join(folder, 'records.db');
  await make('sqlite', `sqlite:${file}`, () => {
    const pragma = (name: string): string =>
      `pragma ${name} = ${execFileSync('sqlite3', [file, `pragma ${name}`]).toString()}`;
    return `${pragma('application_id').trim()};\n${pragma('user_version').trim()};\n${execFileSync('sqlite3', [file, '.dump']).toString()}`;
  });
  await make('postgres', postgresUrl, () =>
    execFileSync('pg_dump', ['--inserts', '--rows-per-insert=1000', '--no-owner', '--no-privileges', postgresUrl])
      .toString()
      .split('\n')
      .filter(isUseful)
      .join('\n')
      .replaceAll('public.', ''),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(readFileSync(join(target, 'sqlite.sql')).length, readFileSync(join(target, 'postgres.sql')).length);
