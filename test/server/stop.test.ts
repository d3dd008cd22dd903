import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';

import { expectProblem, type Problem } from '../support/problem.ts';
import { parseRaw } from '../support/raw.ts';
import { startServer, testKey } from '../support/server.ts';
import { Folder, npmStart } from './command.ts';

const path = '/api/crm/competitor';
const atOnce = 7_500; // milliseconds; a request under way is given 10 s

/** A socket whose bytes are written one by one, as the test goes. */
class Line implements Disposable {
  readonly #socket: Socket;
  readonly closed: Promise<unknown>;
  text = '';

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', resolve));
    socket.setEncoding('utf8').on('data', (text: string) => (this.text += text));
    socket.on('error', () => socket.destroy());
  }

  static async open(url: string): Promise<Line> {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const line = new Line(socket);
    await once(socket, 'connect');
    return line;
  }

  send(text: string): void {
    this.#socket.write(text);
  }

  /** Waits until what was received matches. */
  async received(pattern: RegExp): Promise<string> {
    const found = new Promise<void>((resolve) => {
      const look = (): void => {
        if (pattern.test(this.text)) resolve();
      };
      this.#socket.on('data', look);
      look();
    });
    await Promise.race([found, this.closed]);
    expect(this.text).toMatch(pattern);
    return this.text;
  }

  [Symbol.dispose](): void {
    this.#socket.destroy();
  }
}

const head = (method: string, target: string, ...headers: string[]): string =>
  [`${method} ${target} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${testKey}`, ...headers, '', ''].join('\r\n');

/** A create whose body is only half sent; the other half completes it. */
async function halfCreate(url: string, name: string): Promise<{ line: Line; rest: string }> {
  const body = JSON.stringify({ competitor_name: name });
  const line = await Line.open(url);
  const expectation = 'Expect: 100-continue';
  line.send(head('POST', path, 'Content-Type: application/json', `Content-Length: ${body.length}`, expectation));
  // The server says so once the request has reached its handler: from here on it is under way.
  await line.received(/ 100 Continue\r\n\r\n/);
  line.text = '';
  line.send(body.slice(0, 10));
  return { line, rest: body.slice(10) };
}

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Until the server takes no more connections: it has begun to stop. */
async function untilStopping(url: string): Promise<void> {
  for (;;) {
    using line = await Line.open(url).catch(() => undefined);
    if (!line) return;
    await pause(10);
  }
}

interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  after: number;
}

/** Sends a signal to a server. @returns how it ends, and after how many milliseconds. */
function signalTo(child: ChildProcess, signal: NodeJS.Signals): Promise<Ended> {
  const begin = performance.now();
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  child.kill(signal);
  return ended.then(([code, endedBy]) => ({ code, signal: endedBy, after: performance.now() - begin }));
}

test.concurrent('finishes the requests that are under way, takes no new one, and says that it stops', async () => {
  await using server = await startServer({ alone: true });
  const { line, rest } = await halfCreate(server.url, 'Acme');
  using _ = line;
  using ready = await Line.open(server.url);
  using alive = await Line.open(server.url);
  ready.send('GET /readyz HTTP/1.1\r\nHost: x\r\n');
  alive.send('GET /healthz HTTP/1.1\r\nHost: x\r\n');
  expect((await server.request('GET', '/readyz')).status).toBe(200); // so that the half requests have arrived
  const ended = signalTo(server.process, 'SIGTERM');
  await untilStopping(server.url);
  ready.send('\r\n');
  alive.send('\r\n');
  const refusal = parseRaw(await ready.received(/\}$/));
  expectProblem(refusal, 503, 'unavailable');
  expect((refusal.body as Problem).detail).toMatch(/shutting down|stopping/);
  expect(refusal.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(refusal.headers.get('connection')).toBe('close');
  expect(parseRaw(await alive.received(/\}$/)).status).toBe(200);
  await pause(200); // nothing is to come
  expect(line.text).toBe('');
  line.send(rest);
  const answer = parseRaw(await line.received(/\}\s*$/));
  expect(answer).toMatchObject({ status: 201, body: { competitor_name: 'Acme' } });
  expect(await ended).toEqual({ code: 0, signal: null, after: expect.any(Number) });
  expect((await ended).after).toBeLessThan(atOnce);
  expect(answer.headers.get('connection')).toBe('close');
  await server.start();
  const { id } = answer.body as { id: string };
  expect((await server.request('GET', `${path}/${id}`)).body).toEqual(answer.body);
});

test.concurrent('connections without a request do not hold it up', async () => {
  await using server = await startServer({ alone: true });
  using unused = await Line.open(server.url);
  using idle = await Line.open(server.url);
  idle.send(head('GET', `${path}?limit=1`));
  await idle.received(/"total":0\}$/);
  expect((await server.request('GET', '/healthz')).status).toBe(200); // fetch keeps its connection too
  const ended = await signalTo(server.process, 'SIGTERM');
  expect(ended).toMatchObject({ code: 0, signal: null });
  expect(ended.after).toBeLessThan(atOnce);
  await Promise.all([unused.closed, idle.closed]);
  expect(unused.text).toBe('');
});

test.concurrent('a request over a connection that was idle is answered, and told to close it', async () => {
  await using server = await startServer({ alone: true });
  using idle = await Line.open(server.url);
  const request = head('GET', `${path}?limit=1`);
  idle.send(request);
  await idle.received(/"total":0\}$/);
  idle.text = '';
  const ended = signalTo(server.process, 'SIGTERM');
  await untilStopping(server.url);
  idle.send(request);
  await idle.closed;
  const answer = parseRaw(idle.text);
  expect(answer).toMatchObject({ status: 200, body: { total: 0 } });
  expect(answer.headers.get('connection')).toBe('close');
  expect(await ended).toMatchObject({ code: 0, signal: null });
});

test.concurrent('DRAIN_SECONDS: first it is not ready, and serves on', async () => {
  await using server = await startServer({ alone: true, env: { DRAIN_SECONDS: '4' } });
  const ended = signalTo(server.process, 'SIGTERM');
  const statusOf = async (target: string): Promise<number> => {
    using line = await Line.open(server.url);
    line.send(head('GET', target));
    return parseRaw(await line.received(/\}$/)).status;
  };
  while ((await statusOf('/readyz')) === 200) await pause(10);
  for (const begin = performance.now(); performance.now() - begin < 1_000; await pause(50)) {
    expect(await statusOf('/readyz')).toBe(503);
    expect(await statusOf(path)).toBe(200);
  }
  await untilStopping(server.url);
  expect(await ended).toMatchObject({ code: 0, signal: null });
  expect((await ended).after).toBeGreaterThan(4_000);
});

test.concurrent('an answer that is being read is finished, and its connection is closed', async () => {
  const server = await startServer({ alone: true });
  const agent = new Agent({ keepAlive: true });
  try {
    const attachments = '/api/files/attachment';
    // More than the sockets on both sides take without a reader.
    const data = 'x'.repeat(8_388_608);
    for (const order_id of ['o1', 'o2', 'o3']) {
      expect((await server.request('POST', attachments, { order_id, data })).status).toBe(201);
    }
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { agent, headers: { authorization: `Bearer ${testKey}` } };
      get(server.url + attachments, options, resolve).on('error', reject);
    });
    const ended = signalTo(server.process, 'SIGTERM');
    await untilStopping(server.url);
    let text = '';
    for await (const chunk of answer.setEncoding('latin1') as AsyncIterable<string>) text += chunk;
    const page = JSON.parse(text) as { data: { data: string }[]; total: number };
    expect(page.data.map((record) => record.data === data)).toEqual([true, true, true]);
    expect(page.total).toBe(3);
    expect(await ended).toMatchObject({ code: 0, signal: null });
    expect((await ended).after).toBeLessThan(atOnce);
  } finally {
    agent.destroy();
    await server.close();
  }
});

test.concurrent('a request that never completes is cut after the grace', async () => {
  await using server = await startServer({ alone: true });
  const { line } = await halfCreate(server.url, 'Acme');
  using _ = line;
  const ended = await signalTo(server.process, 'SIGTERM');
  expect(ended).toMatchObject({ code: 0, signal: null });
  expect(ended.after).toBeGreaterThan(atOnce);
  using database = new DatabaseSync(join(server.folder, 'records.db'));
  expect(database.prepare('select "id" from "competitor"').all()).toEqual([]);
});

describe.concurrent('a second signal', () => {
  test('at once is the same request', async () => {
    await using server = await startServer({ alone: true });
    const { line, rest } = await halfCreate(server.url, 'Acme');
    using _ = line;
    const ended = signalTo(server.process, 'SIGINT');
    server.process.kill('SIGTERM');
    await untilStopping(server.url);
    line.send(rest);
    expect(parseRaw(await line.received(/\}\s*$/)).status).toBe(201);
    expect(await ended).toMatchObject({ code: 0, signal: null });
  });

  test('from someone who does not want to wait ends it', async () => {
    await using server = await startServer({ alone: true });
    const { line } = await halfCreate(server.url, 'Acme');
    using _ = line;
    const ended = signalTo(server.process, 'SIGINT');
    await untilStopping(server.url);
    await pause(1_050); // signals within a second are one request
    server.process.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 1, signal: null });
    expect((await ended).after).toBeLessThan(atOnce);
  });
});

function groupIsGone(group: number): boolean {
  try {
    process.kill(-group, 0);
    return false;
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ESRCH');
    return true;
  }
}

describe.concurrent('npm start', () => {
  test.each([
    ['SIGTERM', 'npm alone'],
    ['SIGINT', 'everyone'],
  ] as const)('%s to %s: the request under way is answered, and the whole tree is gone', async (signal, whom) => {
    using folder = new Folder();
    const env = {
      PORT: '0',
      DATABASE_URL: `sqlite:${folder.file('records.db')}`,
      API_KEYS: testKey,
      npm_config_logs_dir: folder.file('logs'),
      npm_config_update_notifier: 'false',
    };
    await using npm = npmStart(folder, { env, detached: true });
    const url = await npm.url();
    const pid = npm.process.pid as number;
    const { line, rest } = await halfCreate(url, 'Acme');
    using _ = line;
    const ended = once(npm.process, 'exit');
    process.kill(whom === 'everyone' ? -pid : pid, signal);
    await untilStopping(url);
    line.send(rest);
    expect(parseRaw(await line.received(/\}\s*$/)).status).toBe(201);
    const [code, endedBy] = await ended;
    expect(groupIsGone(pid)).toBe(true);
    expect({ code, endedBy }).toEqual({ code: 0, endedBy: null });
    expect((await npm.end()).stderr).not.toMatch(/npm error|\bat /);
    // Confirmed writes are in the file, and no process has it open: its journal is merged and removed.
    expect(readFileSync(folder.file('records.db')).includes('Acme')).toBe(true);
  });
});
