import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import type { MainStore } from '../support/main-store.ts';
import { jsonOf, openPostgres } from '../support/main-store.ts';
import type { Listing } from '../../runtime/kernel/records/page.ts';
import { mainOrganization } from '../../runtime/kernel/sql/schema.ts';
import { company, insertOf } from '../store/contract.ts';
import { itemsOf, textOf } from '../support/databases.ts';
import { describePostgresServer, PostgresServer } from '../support/postgres-server.ts';
import { type Answer, testKey, TestServer } from '../support/server.ts';
import { Wire } from '../support/wire.ts';
import { Folder } from './command.ts';

const path = '/api/crm/competitor';
const leads = '/api/crm/lead';
const otherKey = 'other-key-0123456789abcdef0123456789abcdef';
const byOther = { authorization: `Bearer ${otherKey}` };

/** Milliseconds by which the replica is behind. */
const delay = 300;

const warnings = /is not read, reads go to the primary/g;

describePostgresServer('a replica that takes reads', () => {
  const folder = new Folder();
  let primary: PostgresServer;
  let replica: PostgresServer;
  let databases = 0;

  beforeAll(async () => {
    primary = await PostgresServer.create(folder.file('primary'));
    replica = await primary.standby(folder.file('replica'), [`recovery_min_apply_delay = ${delay}`]);
  });

  afterAll(async () => {
    await replica?.stop('crash');
    await primary?.stop('crash');
    folder[Symbol.dispose]();
  });

  /** A new database, once the replica has it. */
  async function newDatabase(): Promise<string> {
    const name = `test_${(databases += 1)}`;
    await primary.query(`create database ${name}`);
    const there = `select 1 from pg_database where datname = '${name}'`;
    await vi.waitUntil(async () => (await replica.query(there)).length > 0, { timeout: 20_000 });
    return name;
  }

  /** A server that reads from the replica; `asked` is what it has asked there. */
  class Serving extends TestServer {
    name = '';

    static async create(env: Record<string, string> = {}): Promise<Serving> {
      const name = await newDatabase();
      const urls = { DATABASE_URL: primary.url(name), READ_DATABASE_URL: replica.url(name) };
      const server = new Serving({ env: { ...urls, API_KEYS: `${testKey},${otherKey}`, LOG_LEVEL: 'warn', ...env } });
      server.name = name;
      await server.start();
      return server;
    }

    create = async (name: string): Promise<string> => {
      const { status, body } = await this.request('POST', path, { competitor_name: name });
      expect(status).toBe(201);
      return (body as { id: string }).id;
    };

    /** The names on the first page, as another key than that of the writes finds them. */
    async listByOther(): Promise<string[]> {
      return namesIn(await this.request('GET', path, undefined, byOther));
    }

    /** Waits until the reads of the other key go to the replica, as the replica itself sees them: a page ends with `commit`. */
    async untilRead(): Promise<void> {
      const read = `select 1 from pg_stat_activity where datname = '${this.name}' and query in ('commit', 'rollback')
        and clock_timestamp() - query_start < interval '200 ms' and pid <> pg_backend_pid()`;
      const isRead = async (): Promise<boolean> => {
        await this.listByOther();
        return (await replica.query(read)).length > 0;
      };
      await vi.waitUntil(isRead, { timeout: 20_000, interval: 20 });
    }
  }

  const namesIn = ({ status, body }: Answer): string[] => {
    expect(status).toBe(200);
    return (body as { data: { competitor_name: string }[] }).data.map((record) => record.competitor_name);
  };

  test('misses none of 300 records that the same key has just created, of which another key misses most', async () => {
    await using server = await Serving.create();
    await server.untilRead();
    const missing = { own: [] as string[], foreign: [] as string[], stale: [] as string[] };
    const one = async (n: number): Promise<void> => {
      const name = `c${n}`;
      const id = await server.create(name);
      const [listed, listedByOther, got, gotByOther] = await Promise.all([
        server.request('GET', path),
        server.listByOther(),
        server.request('GET', `${path}/${id}`),
        server.request('GET', `${path}/${id}`, undefined, byOther),
      ]);
      if (!namesIn(listed).includes(name) || got.status !== 200) missing.own.push(name);
      if (!listedByOther.includes(name)) missing.foreign.push(name);
      // A record that the replica does not have yet is looked for on the primary.
      expect(gotByOther.status).toBe(200);
      const website = `https://${name}.example`;
      expect((await server.request('PATCH', `${path}/${id}`, { website })).status).toBe(200);
      const { body } = await server.request('GET', `${path}/${id}`);
      if ((body as { website: string }).website !== website) missing.stale.push(name);
    };
    for (let n = 0; n < 300; n += 10) await Promise.all(Array.from({ length: 10 }, (_, i) => one(n + i)));
    console.info(
      `Of 300 creates, ${missing.own.length} missing by the same key, ${missing.foreign.length} by another.`,
    );
    expect(missing).toMatchObject({ own: [], stale: [] });
    expect(missing.foreign.length).toBeGreaterThan(100);
  });

  test('is read again with a key that has stopped writing, when it has what was written', async () => {
    await using server = await Serving.create();
    await server.untilRead();
    await server.create('first');
    await replica.query('select pg_wal_replay_pause()');
    try {
      await server.create('second');
      // For longer than a look takes: the replica has not got it, and is not asked.
      for (const end = Date.now() + 3_000; Date.now() < end; await pause(20)) {
        expect(namesIn(await server.request('GET', path))).toEqual(['second', 'first']);
      }
    } finally {
      await replica.query('select pg_wal_replay_resume()');
    }
    await vi.waitUntil(async () => (await server.listByOther()).includes('second'), { timeout: 20_000 });
    // Another process writes: the key that no longer does reads from the replica, and so does not see it at once.
    await vi.waitUntil(
      async () => {
        const name = String(Math.random());
        await primary.query(`update "competitor" set "competitor_name" = '${name}'`, server.name);
        return !namesIn(await server.request('GET', path)).includes(name);
      },
      { timeout: 20_000 },
    );
  });

  test('counts what it has; a key that has just written is counted what is there', async () => {
    await using server = await Serving.create();
    const totalBy = async (headers = {}): Promise<number> =>
      ((await server.request('GET', `${leads}/count`, undefined, headers)).body as { total: number }).total;
    await server.untilRead();
    // The first count opens a connection, and learns what its server has.
    expect(await totalBy(byOther)).toBe(0);
    await replica.query('select pg_wal_replay_pause()');
    try {
      expect((await server.request('POST', leads, { lead_name: 'Ann' })).status).toBe(201);
      await vi.waitUntil(async () => (await totalBy(byOther)) === 0, { timeout: 4_000, interval: 20 });
      expect(await totalBy()).toBe(1);
    } finally {
      await replica.query('select pg_wal_replay_resume()');
    }
    await vi.waitUntil(async () => (await totalBy(byOther)) === 1, { timeout: 20_000 });
  });

  test('is not read when it is more than 5 s behind, which is said once', async () => {
    await using server = await Serving.create();
    await server.untilRead();
    await replica.query('select pg_wal_replay_pause()');
    try {
      await server.create('late');
      expect(await server.listByOther()).toEqual([]);
      const found = async (): Promise<boolean> => (await server.listByOther()).length > 0;
      // The lag is counted from the last question that the replica could answer with yes.
      await vi.waitUntil(found, { timeout: 20_000, interval: 20 });
      const isSaid = async (): Promise<boolean> => {
        expect(await found()).toBe(true);
        return server.output.includes('more than 5 s behind');
      };
      await vi.waitUntil(isSaid, { timeout: 20_000 });
      await expect.poll(() => server.output.match(warnings)).toHaveLength(1);
    } finally {
      await replica.query('select pg_wal_replay_resume()');
    }
    await server.untilRead();
    await expect.poll(() => server.output).toContain('is read again');
  });

  describe('goes away under reads', () => {
    /** Reads on and on; every answer is right. @returns how long the longest took, in milliseconds */
    async function readWhile(server: Serving, work: () => Promise<void>): Promise<number> {
      const over = new AbortController();
      let longest = 0;
      const reader = async (): Promise<void> => {
        while (!over.signal.aborted) {
          const since = performance.now();
          expect(await server.listByOther()).toEqual(['one']);
          longest = Math.max(longest, performance.now() - since);
          await pause(5);
        }
      };
      const readers = Promise.all(Array.from({ length: 4 }, reader));
      await Promise.all([readers, work().finally(() => over.abort())]);
      return longest;
    }

    test.each(['fast', 'crash'] as const)('by a stop (%s): no read fails, and it is read again', async (how) => {
      await using server = await Serving.create();
      await server.create('one');
      await vi.waitUntil(async () => (await server.listByOther()).length === 1, { timeout: 20_000 });
      await server.untilRead();
      await readWhile(server, async () => {
        await replica.stop(how);
        await pause(3_000);
        expect((await server.request('GET', '/readyz')).status).toBe(200);
        await expect.poll(() => server.output.match(warnings)).toHaveLength(1);
        await replica.start();
        await server.untilRead();
        await expect.poll(() => server.output).toContain('is read again');
      });
    });

    test('by standing still: a read is repeated on the primary after at most 3 s', async () => {
      await using server = await Serving.create();
      await server.create('one');
      await vi.waitUntil(async () => (await server.listByOther()).length === 1, { timeout: 20_000 });
      await server.untilRead();
      const longest = await readWhile(server, async () => {
        replica.signalAll('SIGSTOP');
        try {
          await pause(8_000);
          expect((await server.request('GET', '/readyz')).status).toBe(200);
        } finally {
          replica.signalAll('SIGCONT');
        }
        await server.untilRead();
      });
      console.info(`A replica stands still: the longest read took ${Math.round(longest)} ms.`);
      expect(longest).toBeLessThan(7_500);
      await expect.poll(() => server.output.match(warnings)).toHaveLength(1);
    });
  });

  /** A store that reads from the replica over a wire. */
  class Opened implements AsyncDisposable {
    readonly store: MainStore;
    readonly wire: Wire;

    private constructor(store: MainStore, wire: Wire) {
      this.store = store;
      this.wire = wire;
    }

    static async create(): Promise<Opened> {
      const name = await newDatabase();
      const readUrl = new URL(replica.url(name));
      const wire = new Wire(readUrl);
      readUrl.host = await wire.open();
      return new Opened(
        await openPostgres(primary.url(name), [company], true, { settings: { READ_DATABASE_URL: readUrl.href } }),
        wire,
      );
    }

    async [Symbol.asyncDispose](): Promise<void> {
      await this.store.close();
      await this.wire[Symbol.asyncDispose]();
    }
  }

  test('answers for some seconds while the primary is away', async () => {
    await using server = await Serving.create();
    await server.create('one');
    await vi.waitUntil(async () => (await server.listByOther()).length === 1, { timeout: 20_000 });
    await server.untilRead();
    await primary.stop('crash');
    try {
      for (const end = Date.now() + 2_500; Date.now() < end; await pause(20)) {
        expect(await server.listByOther()).toEqual(['one']);
      }
      expect((await server.request('GET', '/readyz')).status).toBe(503);
    } finally {
      await primary.start();
    }
    await vi.waitUntil(async () => (await server.request('GET', '/readyz')).status === 200, { timeout: 20_000 });
    await server.create('two');
    await vi.waitUntil(async () => (await server.listByOther()).length === 2, { timeout: 20_000 });
    await server.untilRead();
  });

  test('fails a read: the primary answers it', async () => {
    await using opened = await Opened.create();
    const { store, wire } = opened;
    const one = insertOf(company);
    await store.write(one);
    const reader = store.of(mainOrganization);
    const get = (): Promise<string | undefined> => jsonOf(reader, 'company', String(one.values[0]));
    const untilRead = async (): Promise<void> => {
      const before = store.metrics().replicaReads!;
      await vi.waitUntil(async () => (await get()) !== undefined && store.metrics().replicaReads! > before, {
        timeout: 20_000,
        interval: 5,
      });
    };
    for (const code of ['40001', '57P03', '57P01', '42P01', '42703', '55P03', undefined]) {
      const before = store.metrics().replicaFailures!;
      // It may also be the question for the position that is lost.
      for (let n = 0; n < 20 && store.metrics().replicaFailures === before; n++) {
        await untilRead();
        Object.assign(wire, { code, tag: 'SELECT 1' });
        while (wire.tag !== undefined) expect(await get()).toContain(one.values[0]);
      }
      expect(store.metrics().replicaFailures!, code).toBeGreaterThan(before);
      await untilRead();
    }
  });

  test('answers a page that is read in parts, and misses none of its records', async () => {
    await using opened = await Opened.create();
    const { store, wire } = opened;
    const write = async (): Promise<unknown> => {
      const one = insertOf(company, { name: 'x'.repeat(12_000) });
      await store.write(one);
      return one.values[0];
    };
    const reader = store.of(mainOrganization);
    const idsOfPage = async (): Promise<unknown[]> => {
      const listing = await reader.list('company', { limit: 100, offset: 0 });
      expect(listing?.items).not.toBeTypeOf('string');
      const text = await textOf(itemsOf(reader, 'company', listing as Listing));
      return (JSON.parse(`[${text}]`) as { id: string }[]).map(({ id }) => id);
    };
    const ids: unknown[] = [];
    while (ids.length < 100) ids.unshift(await write());
    const isAllRead = async (): Promise<boolean> => {
      const before = store.metrics().replicaReads!;
      return (await idsOfPage()).length === 100 && store.metrics().replicaReads! > before + 1;
    };
    await vi.waitUntil(isAllRead, { timeout: 20_000 });
    const failures = store.metrics().replicaFailures!;
    for (let n = 0; n < 10; n++) {
      ids.unshift(await write());
      // The first part comes from the primary, and names a record that the replica has not got; or all of it from the replica,
      // where it is the question for the position that fails.
      Object.assign(wire, { code: '40001', tag: 'SELECT 1' });
      const page = await idsOfPage();
      const begin = ids.indexOf(page[0]);
      expect(page).toEqual(ids.slice(begin, begin + 100));
    }
    expect(store.metrics().replicaFailures!).toBeGreaterThan(failures);
  });

  // The last one: the replica is a server of its own afterwards.
  test('is promoted: it follows no primary, and is not read', async () => {
    await using server = await Serving.create();
    await server.untilRead();
    await replica.query('select pg_promote()');
    await server.create('after');
    await vi.waitUntil(async () => (await server.listByOther()).length === 1, { timeout: 20_000 });
    for (let n = 0; n < 300; n++) {
      expect(await server.listByOther()).toEqual(['after']);
      await pause(10);
    }
    await expect.poll(() => server.output).toMatch(/a standby no more|no standby/);
    await expect.poll(() => server.output.match(warnings)).toHaveLength(1);
  });
});
