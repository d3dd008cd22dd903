import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test, vi } from 'vitest';

import { text } from '../../runtime/kernel/model/fields.ts';
import { openPostgres } from '../support/main-store.ts';
import { company } from '../migrate/tables.ts';
import { createPostgres, describePostgres } from '../support/postgres.ts';

const aLook = { timeout: 10_000, interval: 20 };

const tables = [company({ name: text() })];

/** A line to a server that dies without a word: not even the end of a connection is passed on any more. */
class Line implements AsyncDisposable {
  /** The line is dead once this has been said on it. */
  deadAfter: string | undefined;
  readonly #sockets: Socket[] = [];
  readonly #server;

  constructor({ port, hostname }: URL) {
    this.#server = createServer({ allowHalfOpen: true }, (client) => {
      const server = connect(Number(port || 5432), hostname);
      let isDead = false;
      this.#sockets.push(client, server);
      for (const socket of [client, server]) socket.on('error', () => {});
      client.on('data', (bytes) => {
        isDead ||= this.deadAfter !== undefined && bytes.includes(this.deadAfter);
        if (!isDead) server.write(bytes);
      });
      server.on('data', (bytes) => isDead || client.write(bytes));
      client.on('end', () => isDead || (server.end(), client.end()));
    });
  }

  /** Opens the line, and returns its address. */
  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#sockets.forEach((socket) => socket.destroy());
    this.#server.close();
  }
}

describePostgres('a line to PostgreSQL that dies', () => {
  test('does not keep a server from stopping', async () => {
    await using database = await createPostgres();
    const url = new URL(database.url);
    await using line = new Line(url);
    url.host = await line.open();
    const store = await openPostgres(url.href, tables, true);
    await store.get('company', 'company_1');
    // A connection ends with the letter X and a length of four bytes.
    line.deadAfter = 'X\0\0\0\u0004';
    const begin = performance.now();
    await store.close();
    // A server that stops is given 10 s.
    expect(performance.now() - begin).toBeLessThan(7_500);
  });

  test('while the schema is looked at: requests are answered, and the next look finds it', async () => {
    await using database = await createPostgres();
    const url = new URL(database.url);
    await using line = new Line(url);
    url.host = await line.open();
    url.searchParams.set('options', '-c statement_timeout=200');
    await using store = await openPostgres(url.href, tables, false);
    line.deadAfter = 'pg_attribute';
    // It is looked at once a second.
    await vi.waitFor(() => expect(store.check()).rejects.toMatchObject({ code: 'unavailable' }), aLook);
    line.deadAfter = undefined;
    await (await openPostgres(database.url, tables, true)).close();
    await vi.waitFor(() => store.check(), aLook);
  });
});
