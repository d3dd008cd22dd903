import { once } from 'node:events';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request as send } from 'node:http';
import { connect, createServer } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import * as generated from '../../generated/tables.ts';
import type { Table } from '../../runtime/schema/table.ts';
import { lineItemNamed, recordNamed } from '../api/interface.ts';
import { descendantsOf, othersVisible } from '../bench/processes.ts';
import { describeEngine, engines, expectExactTotals, type TestDatabase } from '../support/databases.ts';
import type { ListPage, Stored } from '../support/records.ts';
import { minimalBody } from '../support/samples.ts';
import { testKey } from '../support/server.ts';
import { Command, expectRefusedStart, Folder, serverCommand } from './command.ts';

const tables = Object.values<Table>(generated);
const invoice = recordNamed('invoice_discounting');
const invoiceItem = lineItemNamed('discounted_invoice');
const workers = 2;

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n));

interface Reply {
  readonly status: number;
  readonly body: unknown;
}

/** Sends a request over a connection of its own, which the next process gets, or over one that an agent keeps. */
function ask(url: string, method: string, path: string, body?: object, agent: Agent | false = false): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${testKey}`, ...(body && { 'content-type': 'application/json' }) };
    const outgoing = send(url + path, { method, headers, agent, timeout: 10_000 }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part: string) => (text += part));
      answer.on('error', reject).on('end', () => {
        resolve({ status: answer.statusCode ?? 0, body: text === '' ? undefined : JSON.parse(text) });
      });
    });
    outgoing.on('error', reject).on('timeout', () => outgoing.destroy(new Error('There was no answer in 10 s.')));
    outgoing.end(body && JSON.stringify(body));
  });
}

async function asked<T = Stored>(status: number, ...args: Parameters<typeof ask>): Promise<T> {
  const reply = await ask(...args);
  expect(reply.status, JSON.stringify(reply.body)).toBe(status);
  return reply.body as T;
}

const statuses = (replies: readonly Reply[]): Record<number, number> => {
  const counts: Record<number, number> = {};
  for (const { status } of replies) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

const env = (database: string, more: Readonly<Record<string, string | undefined>> = {}) => ({
  DATABASE_URL: database,
  API_KEYS: testKey,
  WORKERS: String(workers),
  ...more,
});

/** A server of several processes over a fresh SQLite file. */
class Serving implements AsyncDisposable {
  readonly folder = new Folder();
  readonly command: Command;

  constructor(options: { detached?: boolean; env?: Readonly<Record<string, string | undefined>> } = {}) {
    this.command = serverCommand({ ...options, env: env(this.database, options.env) });
  }

  get file(): string {
    return this.folder.file('records.db');
  }

  get database(): string {
    return `sqlite:${this.file}`;
  }

  get pid(): number {
    return this.command.process.pid as number;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const processes = descendantsOf(this.pid);
    await this.command[Symbol.asyncDispose]();
    await untilGone(processes);
    this.folder[Symbol.dispose]();
  }
}

const isThere = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

async function until(what: string, holds: () => boolean): Promise<void> {
  const deadline = Date.now() + 20_000;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`After 20 s still not: ${what}.`);
    await pause(20);
  }
}

const untilGone = (processes: readonly number[]): Promise<void> =>
  until('the processes are gone', () => !processes.some(isThere));

for (const engine of engines) {
  describeEngine(engine, 'several processes', () => {
    let database: TestDatabase;
    let server: Command;
    let url: string;

    beforeAll(async () => {
      database = await engine.create();
      server = serverCommand({ env: env(database.url) });
      url = await server.url();
    });

    afterAll(async () => {
      await server?.[Symbol.asyncDispose]();
      await database?.[Symbol.asyncDispose]();
    });

    test('what one has answered, the others know', async () => {
      for (let n = 0; n < 12; n++) {
        const { id } = await asked(201, url, 'POST', invoice.path, minimalBody(invoice));
        const path = `${invoice.path}/${id}`;
        const first = `${invoice.path}?limit=1`;
        // As many as there are processes: each of them.
        for (const { status } of await Promise.all(times(workers, () => ask(url, 'GET', path))))
          expect(status).toBe(200);
        const { total } = await asked<ListPage>(200, url, 'GET', first);
        const changed = await asked(200, url, 'PATCH', path, { company: `now ${n}` });
        const pages = await Promise.all(times(workers, () => asked<ListPage>(200, url, 'GET', first)));
        for (const page of pages) expect(page).toMatchObject({ data: [changed], total });
        if (n % 2 === 0) continue;
        await asked(200, url, 'DELETE', path);
        const gone = await Promise.all(times(workers, () => ask(url, 'GET', path)));
        expect(statuses(gone)).toEqual({ 404: workers });
        expect((await asked<ListPage>(200, url, 'GET', first)).total).toBe(total - 1);
      }
    });

    test('the totals are exact, and places are given once', async () => {
      const { id } = await asked(201, url, 'POST', invoice.path, minimalBody(invoice));
      const replies = await Promise.all(
        times(40, () => ask(url, 'POST', invoiceItem.path, minimalBody(invoiceItem, id))),
      );
      expect(statuses(replies)).toEqual({ 201: 40 });
      const page = await asked<ListPage>(200, url, 'GET', `${invoiceItem.path}?parent_id=${id}&limit=100`);
      expect(page.total).toBe(40);
      expect(page.data.map(({ idx }) => idx)).toEqual(times(40, (n) => n + 1));
      await expectExactTotals(database, tables);
    });

    test('each of them answers; one that is killed is replaced, and nothing that was answered is lost', async (context) => {
      if (!othersVisible) return context.skip('the processes of a server are only looked up in /proc');
      const before = descendantsOf(server.process.pid as number);
      expect(before).toHaveLength(workers);
      // A connection for each of them, and one goes with each: all of them had one.
      let closed = 0;
      const sockets = times(workers, () => connect(Number(new URL(url).port), '127.0.0.1'));
      for (const socket of sockets) {
        socket.once('close', () => closed++).on('error', () => socket.destroy());
        socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
        await once(socket, 'data');
      }
      const over = new AbortController();
      const known: Stored[] = [];
      let cut = 0;
      const writers = times(6, async () => {
        for (; !over.signal.aborted; await pause(10)) {
          // A connection may be cut or refused; one that is opened is never left without an end.
          const reply = await ask(url, 'POST', invoice.path, minimalBody(invoice)).catch((error: Error) => error);
          if (reply instanceof Error) {
            expect(reply.message).not.toContain('no answer');
            cut++;
          } else {
            expect(reply.status).toBe(201);
            known.push(reply.body as Stored);
          }
        }
      });
      await pause(100);
      const killed = before.at(-1) as number;
      process.kill(killed, 'SIGKILL');
      await until('it is replaced', () => {
        const now = descendantsOf(server.process.pid as number);
        return now.length === workers && !now.includes(killed);
      });
      await pause(400);
      expect(closed).toBe(1);
      sockets.forEach((socket) => socket.destroy());
      over.abort();
      await Promise.all(writers);
      expect(known.length).toBeGreaterThan(20);
      expect(cut).toBeLessThan(known.length);
      expect(server.stderr.match(/ended with SIGKILL; another takes its place/g)).toHaveLength(1);
      for (const record of known)
        expect(await ask(url, 'GET', `${invoice.path}/${record.id}`)).toEqual({ status: 200, body: record });
      await expectExactTotals(database, tables);
    });

    // That several servers on one PostgreSQL do the same is shown elsewhere, and how processes are replaced is the same.
    if (engine.name === 'PostgreSQL') return;

    test('of racing submits one wins', async () => {
      const { id } = await asked(201, url, 'POST', invoice.path, minimalBody(invoice));
      const path = `${invoice.path}/${id}`;
      const replies = await Promise.all(times(24, () => ask(url, 'POST', `${path}/submit`)));
      expect(statuses(replies)).toEqual({ 200: 1, 409: 23 });
      const winner = replies.find(({ status }) => status === 200)?.body;
      for (let n = 0; n < workers; n++) expect(await asked(200, url, 'GET', path)).toEqual(winner);
    });

    test('one that is told to stop is replaced too', async (context) => {
      if (!othersVisible) return context.skip('the processes of a server are only looked up in /proc');
      const [one] = descendantsOf(server.process.pid as number) as [number];
      process.kill(one, 'SIGTERM');
      await until('it says so', () => /ended with 0; another takes its place/.test(server.stderr));
      await until('there are as many', () => descendantsOf(server.process.pid as number).length === workers);
      for (let n = 0; n < workers; n++) await asked(200, url, 'GET', `${invoice.path}?limit=1`);
    });
  });
}

/** A create of which each process has got one half; the other half completes it. */
async function halfCreates(url: string, agent: Agent): Promise<{ complete(): void; replies: Promise<Reply[]> }> {
  const body = JSON.stringify(minimalBody(invoice));
  const halves = times(workers, () => {
    const headers = {
      authorization: `Bearer ${testKey}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      expect: '100-continue',
    };
    const outgoing = send(url + invoice.path, { method: 'POST', headers, agent });
    const reply = new Promise<Reply>((resolve, reject) => {
      outgoing.on('error', reject).on('response', (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (part: string) => (text += part));
        answer.on('error', reject).on('end', () => resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) }));
      });
    });
    outgoing.flushHeaders();
    return { outgoing, reply };
  });
  // The server says so once a request has reached its handler: from here on it is under way.
  await Promise.all(halves.map(({ outgoing }) => once(outgoing, 'continue')));
  for (const { outgoing } of halves) outgoing.write(body.slice(0, 10));
  const replies = Promise.all(halves.map(({ reply }) => reply));
  replies.catch(() => undefined);
  return { complete: () => halves.forEach(({ outgoing }) => outgoing.end(body.slice(10))), replies };
}

/** Until it takes no more connections; one that comes just then may be left waiting until the server is gone. */
async function untilStopping(url: string): Promise<void> {
  for (let isOpen = true; isOpen; await pause(20)) {
    const probe = fetch(`${url}/healthz`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(1_000) });
    isOpen = await probe.then(
      () => true,
      () => false,
    );
  }
}

describe.concurrent('told to stop', () => {
  test('SIGTERM to the main process: every process finishes what is under way', async () => {
    await using server = new Serving();
    const url = await server.command.url();
    const processes = descendantsOf(server.pid);
    const agent = new Agent();
    const { complete, replies } = await halfCreates(url, agent);
    server.command.process.kill('SIGTERM');
    await untilStopping(url);
    complete();
    expect(statuses(await replies)).toEqual({ 201: workers });
    expect(await server.command.end()).toMatchObject({ code: 0, signal: null, stderr: '' });
    await untilGone(processes);
    using database = new DatabaseSync(server.file);
    const stored = database.prepare(`select "id" from "${invoice.name}"`).all();
    expect(stored.map(({ id }) => id).toSorted()).toEqual(
      (await replies).map(({ body }) => (body as Stored).id).toSorted(),
    );
  });

  test('a second time, later: they end at once', async () => {
    await using server = new Serving();
    const url = await server.command.url();
    const processes = descendantsOf(server.pid);
    const { replies } = await halfCreates(url, new Agent());
    server.command.process.kill('SIGTERM');
    await untilStopping(url);
    await pause(1_500);
    const begin = performance.now();
    server.command.process.kill('SIGTERM');
    expect(await server.command.end()).toMatchObject({ code: 1, signal: null });
    expect(performance.now() - begin).toBeLessThan(4_000);
    await expect(replies).rejects.toThrow();
    await untilGone(processes);
  });

  test('to the whole group, repeatedly: every process finishes what is under way, and the main process alone takes it for a second time', async () => {
    await using server = new Serving({ detached: true });
    const url = await server.command.url();
    const { complete, replies } = await halfCreates(url, new Agent());
    const others = descendantsOf(server.pid);
    for (const pid of [server.pid, ...others]) process.kill(pid, 'SIGTERM');
    await untilStopping(url);
    await pause(1_500);
    for (const pid of others) process.kill(pid, 'SIGTERM');
    await pause(200);
    complete();
    expect(statuses(await replies)).toEqual({ 201: workers });
    expect(await server.command.end()).toMatchObject({ code: 0, signal: null });
  });

  test('npm: the whole tree is gone', async () => {
    using folder = new Folder();
    const settings = { npm_config_logs_dir: folder.file('logs'), npm_config_update_notifier: 'false' };
    await using npm = new Command('npm', ['start'], {
      env: env(`sqlite:${folder.file('records.db')}`, { ...settings, PORT: '0' }),
      detached: true,
    });
    const url = await npm.url();
    const pid = npm.process.pid as number;
    const processes = descendantsOf(pid);
    const { complete, replies } = await halfCreates(url, new Agent());
    process.kill(-pid, 'SIGINT');
    await untilStopping(url);
    complete();
    expect(statuses(await replies)).toEqual({ 201: workers });
    expect(await npm.end()).toMatchObject({ code: 0, signal: null });
    await untilGone(processes);
  });
});

describe.concurrent('the main process is killed', () => {
  test('its workers end', async (context) => {
    if (!othersVisible) return context.skip('the processes of a server are only looked up in /proc');
    await using server = new Serving();
    const url = await server.command.url();
    const processes = descendantsOf(server.pid);
    const { id } = await asked(201, url, 'POST', invoice.path, minimalBody(invoice));
    expect(await server.command.stop('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
    await untilGone(processes);
    // As many as there are processors, which may be one.
    await using next = serverCommand({ env: env(server.database, { WORKERS: 'auto' }) });
    await asked(200, await next.url(), 'GET', `${invoice.path}/${id}`);
    expect(await next.stop()).toMatchObject({ code: 0, stderr: '' });
  });

  test('while they start, too', async (context) => {
    if (!othersVisible) return context.skip('the processes of a server are only looked up in /proc');
    await using server = new Serving();
    await until('there is one', () => descendantsOf(server.pid).length > 0);
    const processes = descendantsOf(server.pid);
    await server.command.stop('SIGKILL');
    await untilGone(processes);
  });
});

describe.concurrent('a start', () => {
  test('on a port that is in use says so once', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    try {
      await using server = new Serving({ env: { PORT: String(port) } });
      const said = expectRefusedStart(await server.command.end());
      expect(said).toBe(`Port ${port} of 127.0.0.1 is in use. Stop what uses it, or set PORT.\n`);
    } finally {
      other.close();
    }
  });

  test('on a database that is none says so once', async () => {
    await using server = new Serving({ env: { DATABASE_URL: 'sqlite:package.json' } });
    const said = expectRefusedStart(await server.command.end());
    expect(said.trim().split('\n')).toHaveLength(1);
    expect(said).toContain('package.json');
  });

  test('of which a process is killed has failed', async (context) => {
    if (!othersVisible) return context.skip('the processes of a server are only looked up in /proc');
    await using server = new Serving();
    await until('there is one', () => descendantsOf(server.pid).length > 0);
    process.kill(descendantsOf(server.pid)[0] as number, 'SIGKILL');
    const said = expectRefusedStart(await server.command.end());
    expect(said).toBe('A worker process could not be started: it ended with SIGKILL.\n');
  });
});

test.concurrent('a server that makes its key, and one process after the other of which ends', async (context) => {
  await using server = new Serving({ env: { API_KEYS: undefined } });
  const url = await server.command.url();
  const { folder, command } = server;
  // One key is made, and it is said once where it serves.
  await until('it is said', () => command.stdout.includes('api-key'));
  const key = readFileSync(folder.file('api-key'), 'utf8').trim();
  for (let n = 0; n < workers; n++) {
    const answer = await fetch(url + invoice.path, {
      headers: { authorization: `Bearer ${key}`, connection: 'close' },
    });
    expect(answer.status).toBe(200);
  }
  expect(command.stdout.match(/serving on/g)).toHaveLength(1);
  expect(command.stdout.match(/API key/g)).toHaveLength(1);
  expect(command.stderr).toBe('');

  // One that cannot start any more is tried again once a second at most, until it can.
  const [one, other] = descendantsOf(server.pid);
  if (one === undefined || other === undefined) {
    return context.skip('the processes of a server are only looked up in /proc');
  }
  renameSync(folder.file('api-key'), folder.file('kept'));
  writeFileSync(folder.file('api-key'), '\n');
  process.kill(one, 'SIGKILL');
  await until('it has been tried', () => /ended with 1; another/.test(command.stderr));
  const begin = Date.now();
  await pause(2_000);
  const ends = command.stderr.match(/ended with 1; another/g)?.length ?? 0;
  expect(ends).toBeLessThanOrEqual(1 + (Date.now() - begin) / 1_000);
  rmSync(folder.file('api-key'));
  renameSync(folder.file('kept'), folder.file('api-key'));
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  await until('all of them are there', () => descendantsOf(server.pid).length === workers);

  // While one of them is being replaced, it can be told to stop.
  process.kill(other, 'SIGKILL');
  await until('another is there', () => {
    const now = descendantsOf(server.pid);
    return now.length === workers && !now.includes(other);
  });
  expect(await command.stop()).toMatchObject({ code: 0, signal: null });
});
