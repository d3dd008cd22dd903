import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { z } from 'zod';

import { keyTable } from '../../runtime/features/keys/key-table.ts';
import { KeyCheck } from '../../runtime/features/keys/keys.ts';
import { stopListening } from '../../runtime/commands/stop.ts';
import { createHttpServer } from '../../runtime/server/server.ts';
import { create } from '../../runtime/kernel/api/write-handlers.ts';
import { Recorder } from '../../runtime/observability/recorder.ts';
import { id, text } from '../../runtime/kernel/model/fields.ts';
import { record } from '../../runtime/kernel/model/table.ts';
import type { Env, RequestEnv } from '../../runtime/kernel/api/service.ts';
import type { Records, Store } from '../../runtime/kernel/records/store.ts';
import type { WriteOf } from '../../runtime/kernel/records/write.ts';
import { withoutKeys } from '../support/key-table.ts';
import { requestText } from '../support/load.ts';
import { testKey } from '../support/server.ts';

const mebibyte = 1_048_576;

/** One such body is worked on at once. */
const bodyBytes = 900_000;
const bufferedMebibytes = 64;

const notes = record('note', z.strictObject({ id: id(), name: text({ max: mebibyte }) }), { maxBody: 2 * mebibyte });
const NoteCreate = z.strictObject({ name: text({ max: mebibyte }) });

/** A server in this process, over a store whose writes are done when they are told to. */
class Served implements AsyncDisposable {
  readonly #server: ReturnType<typeof createHttpServer>;
  readonly #sockets: Socket[] = [];
  /** The first letters of the names that were written. */
  readonly written: string[] = [];
  /** The record that a write answers with. */
  json = '{}';
  finish = (): void => undefined;
  /** The requests, in order of arrival. */
  readonly envs: RequestEnv[] = [];

  private constructor() {
    const app = new Hono<Env>({ getPath: (request) => new URL(request.url).pathname });
    app.use((c, next) => {
      this.envs.push(c.env);
      return next();
    });
    app.post('/api/note', create(notes, NoteCreate));
    const service = { name: 'test', title: 'Test', app, tables: [], openapi: new URL('file:///') };
    const records = {
      newest: async () => [],
      write: ({ values }: WriteOf<'insert'>) => {
        this.written.push(String(values[1]).charAt(0));
        return new Promise((resolve) => {
          this.finish = () => resolve({ outcome: 'written', json: this.json, version: 1 });
        });
      },
    } as unknown as Records;
    const store = { ...withoutKeys, of: () => records } as unknown as Store;
    const limits = { connections: { count: 100, stall: 30_000, idle: 0 }, bufferedMebibytes };
    this.#server = createHttpServer(
      service,
      '{}',
      store,
      new KeyCheck([testKey], 'test', store, keyTable(store)),
      new Recorder(),
      limits,
    );
  }

  static async start(): Promise<Served> {
    const served = new Served();
    await once(served.#server.server.listen(0, '127.0.0.1'), 'listening');
    return served;
  }

  get heldBytes(): number {
    return this.#server.heldBytes();
  }

  connect(): Socket {
    const { port } = this.#server.server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    this.#sockets.push(socket);
    return socket;
  }

  /** Sends a note whose name is one letter, again and again. @returns when it was read */
  async send(letter: string): Promise<Socket> {
    const socket = this.connect();
    const count = this.envs.length;
    socket.write(requestText('POST', '/api/note', JSON.stringify({ name: letter.repeat(bodyBytes) })));
    await expect.poll(() => this.envs[count]?.incoming.readableEnded).toBe(true);
    return socket;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const { server, stop } = this.#server;
    server.closeAllConnections();
    await stop(() => stopListening(server, 0));
  }
}

test('a queued write is not done if its connection has closed', async () => {
  await using served = await Served.start();
  const first = await served.send('a');
  await expect.poll(() => served.written).toEqual(['a']);
  const left = await served.send('b');
  const last = await served.send('c');
  left.resetAndDestroy();
  await expect.poll(() => served.envs[1]?.outgoing.closed).toBe(true);
  served.finish();
  expect(String(await once(first, 'data'))).toMatch(/^HTTP\/1\.1 201 /);
  await expect.poll(() => served.written).toEqual(['a', 'c']);
  served.finish();
  expect(String(await once(last, 'data'))).toMatch(/^HTTP\/1\.1 201 /);
});

test('nothing is held for a response whose client left before it was made', async () => {
  await using served = await Served.start();
  served.json = JSON.stringify({ name: 'a'.repeat(bodyBytes) });
  const left = await served.send('a');
  await expect.poll(() => served.written).toEqual(['a']);
  expect(served.heldBytes).toBeGreaterThan(bodyBytes);
  left.resetAndDestroy();
  await expect.poll(() => served.envs[0]?.outgoing.closed).toBe(true);
  expect(served.heldBytes).toBe(0);
  served.finish();
  // Its write is over when the next one is done.
  await served.send('b');
  await expect.poll(() => served.written).toEqual(['a', 'b']);
  await expect.poll(() => served.heldBytes).toBeLessThan(1.5 * bodyBytes);
});
