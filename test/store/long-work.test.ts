import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { mainOrganization } from '../../runtime/kernel/sql/schema.ts';
import { openFile } from '../../runtime/engines/sqlite/connection.ts';
import type { Listing } from '../../runtime/kernel/records/page.ts';
import type { SingleWrite, Write } from '../../runtime/kernel/records/write.ts';
import { jsonOf, type MainStore, openPostgres, openSqlite } from '../support/main-store.ts';
import { itemsOf, serviceName, textOf } from '../support/databases.ts';
import { createPostgres, describePostgres, type PostgresDatabase, untilBlocked } from '../support/postgres.ts';
import { Proxy } from '../support/proxy.ts';
import { branch, company, insertOf, office, rule } from './contract.ts';

const tables = [company, office, branch, rule];

const unknown = { code: 'unavailable', message: expect.stringContaining('may have been done or not') as string };
const withdrawn = { code: 'overloaded', message: expect.stringContaining('nothing was done') as string };

const reasonsOf = async (works: readonly Promise<unknown>[]): Promise<unknown[]> =>
  (await Promise.allSettled(works)).map((end) => (end.status === 'rejected' ? end.reason : end.value));

/** How many of these have ended. */
function endedOf(works: readonly Promise<unknown>[]): { count: number } {
  const ended = { count: 0 };
  for (const work of works) void work.catch(() => undefined).finally(() => ended.count++);
  return ended;
}

describe('long work on SQLite', () => {
  let folder: string;
  let file: string;
  let store: MainStore;
  /** Another process. */
  let other: DatabaseSync;

  const open = async (maxDuration?: number): Promise<void> => {
    store = await openSqlite(file, tables, serviceName, undefined, maxDuration);
    other = openFile(file, 'rw');
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'records-long-'));
    file = join(folder, 'records.db');
  });

  afterEach(async () => {
    vi.restoreAllMocks();
    vi.useRealTimers();
    other.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });

  /** Stores so many companies with names of this length. */
  const fill = (count: number, length = 10): void =>
    other.exec(
      `with recursive n (i) as (values (1) union all select i + 1 from n where i < ${count})
        insert into "company" (_organization, id, name, created_at, updated_at)
          select 1, 'company_' || printf('%026d', i), printf('%.*c', ${length}, 'x'), '', '' from n;
      update "_row_counter" set "count" = "count" + ${count} where "table" = 'company'`,
    );

  test('a deep page does not wait for a commit that takes long', async () => {
    await open();
    fill(30_000);
    other.exec('begin immediate');
    const write = store.write(insertOf(company));
    const ended = endedOf([write]);
    // It is on its thread, where it waits for the lock.
    for (let n = 0; n < 3; n++) await new Promise(setImmediate);
    const listing = (await store.list('company', { limit: 5, offset: 15_000 })) as Listing;
    expect(JSON.parse(`[${await textOf(listing.items)}]`)).toHaveLength(5);
    expect(ended.count).toBe(0);
    other.exec('commit');
    expect(await write).toMatchObject({ outcome: 'written' });
  });

  test('many large pages at once leave others their turns, also when they are streamed', async () => {
    await open(60_000);
    // A page of them is over 1 MiB: the rest of it is streamed.
    fill(1_100, 1_200);
    // On this clock, whatever is read takes all of what pages may take of a turn, however fast the machine is.
    const { now } = performance;
    let added = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + (added += 5));
    const pages = Array.from({ length: 40 }, async (_, n) => {
      const listing = (await store.list('company', { limit: 1_000, offset: n })) as Listing;
      return (await textOf(itemsOf(store, 'company', listing))).split('"id":').length - 1;
    });
    const ended = endedOf(pages);
    let turns = 0;
    for (; ended.count < pages.length; turns++) {
      await new Promise(setImmediate);
      expect(await store.get('company', 'none')).toBeUndefined();
    }
    // Each page is read in at least two steps. Only the first step of the first one does not wait for a turn.
    expect(turns).toBeGreaterThanOrEqual(2 * pages.length - 1);
    expect(new Set(await Promise.all(pages))).toEqual(new Set([1_000]));
  });

  test('rows that have no counter are counted on another thread', async () => {
    await open();
    await store.write(insertOf(rule, { parent_id: 'p', parent_type: 't' }));
    const listing = store.list('rule', { limit: 5, offset: 0, where: { parent_id: 'p', parent_type: 't' } });
    expect(listing).toBeInstanceOf(Promise);
    expect(await listing).toMatchObject({ total: 1, hasMore: false });
    expect(await store.list('rule', { limit: 5, offset: 0, where: { parent_id: 'p' } })).toMatchObject({ total: 1 });
  });

  test('a write has a time limit: what has not begun by then is never done', async () => {
    await open(60_000);
    other.exec('begin immediate');
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const begun = store.write(insertOf(company, { name: 'begun' }));
    for (let n = 0; n < 3; n++) await new Promise(setImmediate);
    const waiting = store.write(insertOf(company, { name: 'waiting' }));
    vi.advanceTimersByTime(60_000);
    vi.useRealTimers();
    expect(await reasonsOf([begun, waiting])).toEqual([
      expect.objectContaining(unknown),
      expect.objectContaining(withdrawn),
    ]);
    other.exec('commit');
    expect(await store.write(insertOf(company, { name: 'later' }))).toMatchObject({ outcome: 'written' });
    const names = other.prepare(`select "name" from "company" where "name" <> 'begun'`).all();
    expect(names).toEqual([{ name: 'later' }]);
  });
});

describePostgres('long work on PostgreSQL', () => {
  /** One connection for writes, one for quick reads and one for what is slow. */
  const oneWriter = '?pool_size=3';

  const updateOf = (id: string, status: string): Write => ({
    op: 'update',
    table: 'company',
    id,
    set: { status },
    expected: {},
    time: '2030-01-01T00:00:00.000Z',
  });

  /** A connection that has locked the row of a company. */
  const lockCompany = async (database: PostgresDatabase, { values: [id] }: SingleWrite & { op: 'insert' }) => {
    const other = await database.connect();
    await other.query(`begin; update "company" set "order" = 1 where "id" = '${String(id)}'`);
    return other;
  };

  const withStore = async (
    work: (store: MainStore, database: PostgresDatabase) => Promise<void>,
    options = '',
    maxDuration?: number,
  ): Promise<void> => {
    await using database = await createPostgres();
    await using store = await openPostgres(`${database.url}${options}`, tables, true, { maxDuration });
    await work(store, database);
  };

  /** Options of a URL: how many milliseconds a statement waits for a lock, 0 is for ever. */
  const lockTimeout = (limit: number): string => `?options=${encodeURIComponent(`-c lock_timeout=${limit}`)}`;

  test('a table that is locked does not keep quick reads from others', async () => {
    await withStore(async (store, database) => {
      const one = insertOf(company);
      const id = String(one.values[0]);
      await store.write(one);
      const free = insertOf(branch);
      await store.write(free);
      await using other = await database.connect();
      await other.query('begin; lock table "company" in access exclusive mode');
      // More than callers of a shared connection.
      const locked = Array.from({ length: 200 }, async (_, n): Promise<unknown> =>
        n % 2 ? jsonOf(store, 'company', id) : store.list('company', { limit: 5, offset: 0 }),
      );
      const ended = endedOf(locked);
      await untilBlocked(database);
      for (let n = 0; n < 10; n++) {
        expect(await jsonOf(store, 'branch', String(free.values[0]))).toContain('"id"');
        expect(await store.list('branch', { limit: 5, offset: 0 })).toMatchObject({ total: n + 1 });
        await store.write(insertOf(branch));
        await store.check();
      }
      expect(ended.count).toBe(0);
      await other.query('rollback');
      for (const result of await Promise.allSettled(locked)) expect(result.status).toBe('fulfilled');
      // Reads are quick again.
      expect(await store.list('company', { limit: 5, offset: 0 })).toMatchObject({ total: 1 });
    }, lockTimeout(0));
  });

  test('a table that is locked keeps writes and long lists of others waiting until a lock is given up', async () => {
    await withStore(async (store, database) => {
      const large = { limit: 1_000, offset: 0 };
      await using other = await database.connect();
      await other.query('begin; lock table "company" in access exclusive mode');
      // Many of each: more than there are connections, so that all of them wait for the lock.
      const locked = Array.from({ length: 20 }, () => [
        store.write(insertOf(company)),
        Promise.resolve(store.list('company', large)),
      ]).flat();
      const ended = endedOf(locked);
      await untilBlocked(database);
      // Tables take turns: those of the locked one are not all given up before.
      await store.write(insertOf(branch));
      expect(await store.list('branch', large)).toMatchObject({ total: 1 });
      expect(ended.count).toBeLessThan(locked.length);
      for (const error of await reasonsOf(locked)) expect(error).toMatchObject({ code: 'unavailable' });
      await other.query('rollback');
    }, lockTimeout(500));
  });

  test('a key with very many writes of a record leaves others of that table their turns', async () => {
    // One connection for writes: with several, PostgreSQL decides which of them gets the lock of the row.
    await withStore(async (store, database) => {
      const one = insertOf(company);
      await store.write(one);
      const update = (status: string): Write => updateOf(String(one.values[0]), status);
      await using other = await lockCompany(database, one);
      const many = Array.from({ length: 200 }, (_, n) => store.write(update(`${n}`)));
      const ended = endedOf(many);
      await untilBlocked(database);
      const quiet = store
        .of(mainOrganization)
        .write(update('quiet'))
        .then(() => ended.count);
      await other.query('rollback');
      // The write that had the connection comes first, then perhaps one more of that key, then the quiet one.
      expect(await quiet).toBeLessThanOrEqual(2);
      await Promise.all(many);
    }, oneWriter);
  });

  test('a write has a time limit: what has not been sent by then is never done', async () => {
    await withStore(
      async (store, database) => {
        const one = insertOf(company);
        await store.write(one);
        const update = (status: string): Write => updateOf(String(one.values[0]), status);
        await using other = await lockCompany(database, one);
        vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
        const begun = store.write(update('begun'));
        const waiting = store.write(update('waiting'));
        vi.advanceTimersByTime(60_000);
        vi.useRealTimers();
        expect(await reasonsOf([begun, waiting])).toEqual([
          expect.objectContaining({ code: 'unavailable', message: expect.stringContaining('nothing was done') }),
          expect.objectContaining(withdrawn),
        ]);
        await other.query('rollback');
        expect(await store.write(insertOf(branch))).toMatchObject({ outcome: 'written' });
        expect(await database.query(`select 1 from "company" where "status" = 'waiting'`)).toEqual([]);
      },
      oneWriter,
      60_000,
    );
  });

  test('a database that does not answer is not ready, and that is said before other requests are given up', async () => {
    await using database = await createPostgres();
    const url = new URL(database.url);
    await using proxy = new Proxy(url.hostname, Number(url.port || 5432));
    await proxy.open();
    url.host = `127.0.0.1:${proxy.port}`;
    await using store = await openPostgres(url.href, tables, true);
    await store.check();
    await store.get('company', 'none');
    proxy.fallSilent();
    const read = Promise.resolve(store.get('company', 'none'));
    const ended = endedOf([read]);
    await expect(store.check()).rejects.toMatchObject({ code: 'unavailable' });
    expect(ended.count).toBe(0);
    await proxy.cut();
    await expect(read).rejects.toMatchObject({ code: 'unavailable' });
    proxy.speak();
    await proxy.open();
    await vi.waitFor(() => store.check(), { timeout: 10_000 });
  });
});
