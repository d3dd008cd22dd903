import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { expect, test } from 'vitest';

import type { Write } from '../../runtime/kernel/records/write.ts';
import { jsonOf, type MainStore, openPostgres } from '../support/main-store.ts';
import { company, insertOf, part } from '../store/contract.ts';
import { createPostgres, describePostgres, type PostgresDatabase } from '../support/postgres.ts';
import { errorOf, Wire } from '../support/wire.ts';

/** The error of a node of Citus that crashes while it waits for another one. */
const askedNodeCrashed = 'postmaster was shut down, exiting';

async function withStore(
  work: (store: MainStore, wire: Wire, database: PostgresDatabase) => Promise<void>,
): Promise<void> {
  await using database = await createPostgres();
  const url = new URL(database.url);
  await using wire = new Wire(url);
  url.host = await wire.open();
  await using store = await openPostgres(url.href, [company, part], true);
  await work(store, wire, database);
}

describePostgres('a write that the database does not confirm', () => {
  async function expectUnknown(writing: Promise<unknown>): Promise<void> {
    const error = (await writing.then(
      () => undefined,
      (reason: unknown) => reason,
    )) as Error | undefined;
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('may have been done or not') });
    expect(error?.message).not.toMatch(/try again/i);
  }

  const causes: readonly [code: string | undefined, text?: string][] = [
    ['40003'],
    ['08007'],
    ['08006'],
    ['08P01'],
    [undefined],
    // Errors of Citus.
    ['XX000', 'could not commit transaction on any active node'],
    ['XX000', askedNodeCrashed],
  ];

  test.each(causes)(
    'with a COMMIT of its own (%s): it may have been done or not, and is not repeated',
    async (code, text) => {
      await withStore(async (store, wire, database) => {
        Object.assign(wire, { code, text, tag: 'COMMIT' });
        await expectUnknown(store.write(insertOf(part, { machine_id: 'm', idx: null })));
        expect(await database.query('select 1 from "part"')).toHaveLength(1);
        expect(await store.write(insertOf(part, { machine_id: 'm', idx: null }))).toMatchObject({ outcome: 'written' });
      });
    },
  );

  test.each(causes)('as one statement (%s): it may have been done or not, and is not repeated', async (code, text) => {
    await withStore(async (store, wire, database) => {
      const one = insertOf(company);
      await store.write(one);
      const update: Write = {
        op: 'update',
        table: 'company',
        id: String(one.values[0]),
        set: { order: 2 },
        expected: { order: 1 },
        time: new Date().toISOString(),
      };
      Object.assign(wire, { code, text, tag: 'UPDATE 1' });
      await expectUnknown(store.write(update));
      expect(await database.query('select "order" from "company"')).toEqual([{ order: '2' }]);
      expect(await store.write(update)).toEqual({ outcome: 'unexpected', columns: ['order'] });
    });
  });
});

describePostgres('a read from a node of Citus that crashes', () => {
  test('is repeated', async () => {
    await withStore(async (store, wire) => {
      const one = insertOf(company);
      const id = String(one.values[0]);
      await store.write(one);
      // Opens the connection for reads.
      await jsonOf(store, 'company', id);
      Object.assign(wire, { code: 'XX000', text: askedNodeCrashed, tag: 'SELECT 1' });
      expect(await jsonOf(store, 'company', id)).toContain(id);
      expect(wire.tag).toBeUndefined();
    });
  });
});

describePostgres('a prepared statement that a pooler has mixed up', () => {
  // Unknown in this session; there already in this session.
  test.each(['26000', '42P05'])('is repeated without being prepared (%s)', async (code) => {
    await withStore(async (store, wire) => {
      const one = insertOf(company);
      const id = String(one.values[0]);
      await store.write(one);
      // Opens the connection for reads.
      await jsonOf(store, 'company', id);
      Object.assign(wire, { code, tag: 'SELECT 1' });
      expect(await jsonOf(store, 'company', id)).toContain(id);
      expect(wire.tag).toBeUndefined();
      Object.assign(wire, { code, tag: 'UPDATE 1' });
      const update = { op: 'update', table: 'company', id, set: { order: 2 }, expected: {} } as const;
      expect(await store.write({ ...update, time: new Date().toISOString() })).toMatchObject({ outcome: 'written' });
      expect(wire.tag).toBeUndefined();
    });
  });
});

describePostgres('a database that is starting or shutting down', () => {
  /** Answers the first two connections with an error: at once, or in place of the answer to the first query. */
  async function refuseTwice({ port, hostname }: URL, code: string, when: 'connect' | 'query'): Promise<Server> {
    let refusals = 2;
    const server = createServer((client) => {
      client.on('error', () => {});
      const isRefused = refusals-- > 0;
      if (isRefused && when === 'connect') return void client.once('data', () => client.end(errorOf(code)));
      const target = connect(Number(port || 5432), hostname);
      target.on('error', () => {}).on('close', () => client.destroy());
      client.on('close', () => target.destroy()).on('data', (bytes) => target.write(bytes));
      target.on('data', (bytes: Buffer) => {
        // The type of a row's description: an answer to a query.
        if (isRefused && bytes[0] === 'T'.charCodeAt(0)) client.end(errorOf(code));
        else client.write(bytes);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  }

  // Starting up or shutting down, as the server says it; a failed connection, as poolers do.
  test.each(['57P03', '08006'].flatMap((code) => [[code, 'connect'] as const, [code, 'query'] as const]))(
    'is waited for by a start (%s to a %s)',
    async (code, when) => {
      await using database = await createPostgres();
      const url = new URL(database.url);
      const server = await refuseTwice(url, code, when);
      url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      const store = await openPostgres(url.href, [company], true);
      expect(await store.write(insertOf(company))).toMatchObject({ outcome: 'written' });
      await store.close();
      server.close();
    },
  );
});
