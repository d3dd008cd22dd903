import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Hono } from 'hono';
import { expect, test } from 'vitest';

import { stopListening } from '../../runtime/commands/stop.ts';
import type { ConnectionLimits } from '../../runtime/server/connections.ts';
import { readBody } from '../../runtime/kernel/api/body.ts';
import { keyTable } from '../../runtime/features/keys/key-table.ts';
import { KeyCheck } from '../../runtime/features/keys/keys.ts';
import { createHttpServer } from '../../runtime/server/server.ts';
import type { Env } from '../../runtime/kernel/api/service.ts';
import { Recorder } from '../../runtime/observability/recorder.ts';
import type { Store } from '../../runtime/kernel/records/store.ts';
import { withoutKeys } from '../support/key-table.ts';
import { expectProblem } from '../support/problem.ts';
import { parseRaw } from '../support/raw.ts';
import { requestText } from '../support/load.ts';
import { testKey } from '../support/server.ts';

/** More than the sockets on both sides take without a reader. */
const large = JSON.stringify('x'.repeat(16 * 1_048_576));

/** A server in this process whose routes say when they are called. */
class Served implements AsyncDisposable {
  readonly #server: ReturnType<typeof createHttpServer>;
  /** The paths of the requests that were begun. */
  readonly begun: string[] = [];
  /** Completes a request for `/api/slow`. */
  finish = (): void => undefined;
  port = 0;

  private constructor(limits: Partial<ConnectionLimits>) {
    const app = new Hono<Env>({ getPath: (request) => new URL(request.url).pathname });
    app.use(async (c, next) => {
      this.begun.push(c.req.path);
      await next();
    });
    app.get('/api/quick', () => new Response('"quick"'));
    app.get('/api/large', () => new Response(large));
    app.get('/api/busy', () => {
      for (const end = performance.now() + 10; performance.now() < end;);
      return new Response('"busy"');
    });
    app.post('/api/slow', async (c) => {
      await new Promise<void>((resolve) => (this.finish = resolve));
      return c.body('"slow"');
    });
    const rules = { maxBytes: 1_048_576, mediaTypes: ['application/json'] };
    app.post('/api/body', async (c) => {
      const { length } = await readBody(c.env, rules);
      return c.body(`"read" ${length}`);
    });
    const service = { name: 'test', title: 'Test', app, tables: [], openapi: new URL('file:///') };
    const store = { ...withoutKeys, check: async () => undefined } as unknown as Store;
    const all = { connections: { count: 1_000, stall: 30_000, idle: 60_000, ...limits }, bufferedMebibytes: 1 };
    this.#server = createHttpServer(
      service,
      '{}',
      store,
      new KeyCheck([testKey], 'test', store, keyTable(store)),
      new Recorder(),
      all,
    );
  }

  static async start(limits: Partial<ConnectionLimits> = {}): Promise<Served> {
    const served = new Served(limits);
    const { server } = served.#server;
    await once(server.listen(0, '127.0.0.1'), 'listening');
    served.port = (server.address() as AddressInfo).port;
    return served;
  }

  async client(): Promise<Client> {
    const socket = connect({ port: this.port, host: '127.0.0.1', allowHalfOpen: true });
    await once(socket, 'connect');
    return new Client(socket);
  }

  /** Resolves when all connections are closed. */
  stop(): Promise<void> {
    return this.#server.stop(() => stopListening(this.#server.server, 0));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { server, stop } = this.#server;
    server.closeAllConnections();
    await stop(() => stopListening(server, 0));
  }
}

/** A client that counts what it receives. */
class Client implements Disposable {
  readonly socket: Socket;
  readonly closed: Promise<void>;
  text = '';
  error = '';

  constructor(socket: Socket) {
    this.socket = socket;
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()));
    socket.setEncoding('latin1').on('error', ({ message }) => (this.error = message));
    // The server has ended the connection.
    socket.on('end', () => socket.end());
    socket.on('data', (text: string) => (this.text += text));
  }

  get statuses(): string[] {
    return [...this.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status as string);
  }

  async received(holds: (text: string) => boolean): Promise<void> {
    while (!holds(this.text)) {
      if (this.socket.closed) throw new Error(`The connection was closed: ${this.error}. Received: ${this.text}`);
      await Promise.race([once(this.socket, 'data'), this.closed]);
    }
  }

  [Symbol.dispose](): void {
    this.socket.destroy();
  }
}

const get = (path: string): string => requestText('GET', path);

test('a request behind another is begun when that is answered', async () => {
  await using served = await Served.start();
  using client = await served.client();
  client.socket.write(requestText('POST', '/api/slow', '{}') + get('/api/quick').repeat(2));
  // The server does not read later bytes before that, either.
  client.socket.write(get('/api/quick'));
  using other = await served.client();
  other.socket.write(get('/api/quick'));
  await other.received((text) => text.endsWith('"quick"'));
  expect(served.begun).toEqual(['/api/slow', '/api/quick']);
  served.finish();
  await client.received((text) => text.match(/"quick"/g)?.length === 3);
  expect(client.statuses).toEqual(['200', '200', '200', '200']);
});

test('a client that takes no answer has one of its requests done', async () => {
  await using served = await Served.start();
  using client = await served.client();
  client.socket.pause();
  client.socket.write(get('/api/large').repeat(3));
  using other = await served.client();
  for (let n = 0; n < 5; n++) {
    other.socket.write(get('/api/quick'));
    await other.received((text) => text.match(/"quick"/g)?.length === n + 1);
  }
  expect(served.begun.filter((path) => path === '/api/large')).toHaveLength(1);
  client.socket.resume();
  await client.received((text) => text.length > 3 * large.length);
  expect(client.statuses).toEqual(['200', '200', '200']);
});

test('between the requests of one connection, others get their turn', async () => {
  await using served = await Served.start();
  using client = await served.client();
  using other = await served.client();
  client.socket.write(get('/api/busy').repeat(50));
  other.socket.write(get('/api/quick'));
  await client.received((text) => text.match(/"busy"/g)?.length === 50);
  expect(served.begun.indexOf('/api/quick')).toBeLessThan(25);
});

test('a request whose client has closed its side behind it is answered', async () => {
  await using served = await Served.start();
  using client = await served.client();
  client.socket.end(requestText('POST', '/api/slow', '{}') + get('/api/quick'));
  while (!served.begun.includes('/api/slow')) await pause(1);
  served.finish();
  await client.closed;
  expect(client.statuses).toEqual(['200', '200']);
  expect(client.error).toBe('');
});

test('a request whose client has closed its side and waits is answered', async () => {
  await using served = await Served.start();
  using client = await served.client();
  client.socket.end(requestText('POST', '/api/slow', '{}'));
  while (!served.begun.includes('/api/slow')) await pause(1);
  // The server has read the end.
  await pause(50);
  served.finish();
  await client.closed;
  expect(client.statuses).toEqual(['200']);
  expect(client.error).toBe('');
});

test('bytes that are not a request are answered after the requests before them', async () => {
  await using served = await Served.start();
  using client = await served.client();
  client.socket.write(`${requestText('POST', '/api/slow', '{}')}NONSENSE\r\n\r\n`);
  while (!served.begun.includes('/api/slow')) await pause(1);
  served.finish();
  await client.closed;
  expect(client.statuses).toEqual(['200', '400']);
  expect(client.error).toBe('');
});

test('a body that is no HTTP behind a request is answered after it', async () => {
  await using served = await Served.start();
  using client = await served.client();
  const broken = chunkedText('/api/body', 1, 1).replace('\r\n1\r\n', '\r\nNONSENSE\r\n');
  client.socket.write(requestText('POST', '/api/slow', '{}') + broken);
  while (!served.begun.includes('/api/slow')) await pause(1);
  served.finish();
  await client.closed;
  expect(client.statuses).toEqual(['200', '400']);
  expect(client.error).toBe('');
  expect(served.begun).toEqual(['/api/slow']);
});

test('a transfer coding other than chunked is refused, and nothing behind it is read', async () => {
  await using served = await Served.start();
  using client = await served.client();
  const head = `POST /api/body HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${testKey}\r\n`;
  client.socket.write(`${head}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n${get('/api/quick')}`);
  await client.closed;
  expect(client.statuses).toEqual(['501']);
  const answer = parseRaw(client.text);
  expectProblem(answer, 501, 'not_implemented');
  expect(answer.headers.get('connection')).toBe('close');
  expect(served.begun).toEqual([]);
});

/** A request whose body comes in equal chunks. */
function chunkedText(path: string, size: number, count: number): string {
  const head = requestText('POST', path, '{}').slice(0, -2).replace('Content-Length: 2', 'Transfer-Encoding: chunked');
  return `${head}${`${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`.repeat(count)}0\r\n\r\n`;
}

test('a body in very many very small chunks is refused', async () => {
  await using served = await Served.start();
  using client = await served.client();
  client.socket.write(chunkedText('/api/body', 1, 1_100));
  await client.received((text) => text.endsWith('}'));
  const answer = parseRaw(client.text);
  expectProblem(answer, 400, 'bad_request');
  expect(answer.text).toContain('The chunks of a body must have at least 32 bytes on average.');
  expect(client.error).toBe('');
});

test('an answer that leaves a chunked body unread closes the connection', async () => {
  await using served = await Served.start();
  using client = await served.client();
  client.socket.write(chunkedText('/api/quick', 1, 100_000) + get('/api/quick'));
  await client.closed;
  expect(client.statuses).toEqual(['405']);
  expect(parseRaw(client.text).headers.get('connection')).toBe('close');
  expect(client.error).toBe('');
});

test.each([
  [1_000, 1],
  [10_000, 32],
  [10_000, 50],
])('a body in %d chunks of %d bytes is read', async (count, size) => {
  await using served = await Served.start();
  using client = await served.client();
  client.socket.write(chunkedText('/api/body', size, count) + get('/api/quick'));
  await client.received((text) => text.endsWith('"quick"'));
  expect(client.statuses).toEqual(['200', '200']);
  expect(client.text).toContain(`"read" ${size * count}`);
});

test('an answer that closes the connection arrives, whatever the client goes on sending', async () => {
  await using served = await Served.start();
  using client = await served.client();
  const closing = get('/api/large').replace('\r\n', '\r\nConnection: close\r\n');
  client.socket.pause();
  client.socket.write(closing + get('/api/quick').repeat(10_000));
  while (served.begun.length === 0) await pause(1);
  await pause(100); // so that the server has sent what fits
  client.socket.resume();
  await client.closed;
  expect(client.statuses).toEqual(['200']);
  expect(client.text.endsWith(large)).toBe(true);
  expect(client.error).toBe('');
});

test('more connections than the limit are closed', async () => {
  await using served = await Served.start({ count: 2 });
  using one = await served.client();
  using two = await served.client();
  for (const client of [one, two]) {
    client.socket.write(get('/api/quick'));
    await client.received((text) => text.endsWith('"quick"'));
  }
  using three = await served.client();
  three.socket.write(get('/api/quick'));
  await three.closed;
  expect(three.text).toBe('');
  one.socket.destroy();
  for (let isServed = false; !isServed;) {
    using four = await served.client();
    four.socket.write(get('/api/quick'));
    await Promise.race([four.received((text) => text.endsWith('"quick"')).catch(() => undefined), four.closed]);
    isServed = four.text.endsWith('"quick"');
  }
});

test.concurrent('bodies that stop one byte early are given up', async () => {
  await using served = await Served.start({ stall: 300 });
  const clients = await Promise.all(Array.from({ length: 100 }, () => served.client()));
  for (const { socket } of clients) socket.write(requestText('POST', '/api/body', '{"a":"b"}').slice(0, -1));
  await Promise.all(clients.map(({ closed }) => closed));
  for (const { text } of clients) expectProblem(parseRaw(text), 408, 'request_timeout');
});

test.concurrent('headers that stop are given up', async () => {
  await using served = await Served.start({ stall: 300 });
  using client = await served.client();
  client.socket.write('GET /api/quick HTTP/1.1\r\nHost: x\r\n');
  await client.closed;
  expectProblem(parseRaw(client.text), 408, 'request_timeout');
});

test.concurrent('a request that comes slowly is read', async () => {
  await using served = await Served.start({ stall: 2_000 });
  using client = await served.client();
  const request = requestText('POST', '/api/body', JSON.stringify('x'.repeat(30)));
  client.socket.write(request.slice(0, -30));
  for (const character of request.slice(-30)) {
    await pause(80);
    client.socket.write(character);
  }
  await client.received((text) => text.endsWith('"read" 32'));
});

test.concurrent('a client that takes nothing of its answer is cut', async () => {
  await using served = await Served.start({ stall: 300 });
  using client = await served.client();
  client.socket.pause();
  client.socket.write(get('/api/large'));
  while (served.begun.length === 0) await pause(1);
  // The server has let go of it before this client looks.
  await pause(1_000);
  client.socket.resume();
  await client.closed;
  expect(client.error).toMatch(/ECONNRESET/);
  expect(client.text.length).toBeLessThan(large.length);
});

test.concurrent('a client that takes its answer slowly gets all of it', async () => {
  await using served = await Served.start({ stall: 1_500 });
  using client = await served.client();
  client.socket.write(get('/api/large'));
  for (let taken = 0; taken < large.length; taken += large.length / 20) {
    client.socket.resume();
    await client.received((text) => text.length > taken);
    client.socket.pause();
    await pause(100);
  }
  client.socket.resume();
  await client.received((text) => text.length > large.length);
});

test.concurrent('the time that the server takes is not held against its client', async () => {
  await using served = await Served.start({ stall: 200 });
  using client = await served.client();
  client.socket.write(requestText('POST', '/api/slow', '{}'));
  await expect.poll(() => served.begun).toContain('/api/slow');
  await pause(1_000);
  served.finish();
  await client.received((text) => text.endsWith('"slow"'));
});

test('a stop ends a connection that was idle for long enough, and waits for the next request of one that was not', async () => {
  for (const idle of [1, 60_000]) {
    await using served = await Served.start({ idle });
    using client = await served.client();
    using busy = await served.client();
    client.socket.write(get('/api/quick'));
    await client.received((text) => text.endsWith('"quick"'));
    busy.socket.write(requestText('POST', '/api/slow', '{}'));
    await expect.poll(() => served.begun).toContain('/api/slow');
    const stopped = served.stop();
    if (idle > 1) {
      await untilRefused(served.port);
      client.socket.write(get('/api/quick'));
    }
    await client.closed;
    expect(client.statuses).toHaveLength(idle > 1 ? 2 : 1);
    // Requests in flight are answered in either case.
    served.finish();
    await busy.closed;
    expect(busy.text).toMatch(/Connection: close\r\n[^]*"slow"$/i);
    await stopped;
  }
});

/** Until the server takes no more connections. */
async function untilRefused(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isRefused = await once(socket, 'connect').then(
      () => false,
      () => true,
    );
    socket.destroy();
    if (isRefused) return;
    await pause(5);
  }
}
