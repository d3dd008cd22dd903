import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { CliError } from '../../runtime/kernel/model/errors.ts';
import { newId } from '../../runtime/kernel/model/ids.ts';
import {
  boolean,
  id,
  integer,
  nullable,
  optional,
  position,
  text,
  timestamp,
} from '../../runtime/kernel/model/fields.ts';
import type { Value } from '../../runtime/kernel/model/fields.ts';
import { lineItem, record, type Table } from '../../runtime/kernel/model/table.ts';
import { readConnectionOptions } from '../../runtime/engines/postgres/connection-options.ts';
import { withConnection } from '../../runtime/engines/postgres/connection.ts';
import type { ItemStream, Listing } from '../../runtime/kernel/records/page.ts';
import type { Write } from '../../runtime/kernel/records/write.ts';
import { service } from '../service/generated/app.ts';
import { itemsOf } from '../support/databases.ts';
import { jsonOf, type MainStore, openPostgres } from '../support/main-store.ts';
import { createPostgres, describePostgres, type PostgresDatabase, untilBlocked } from '../support/postgres.ts';
import { Proxy } from '../support/proxy.ts';
import { startServer, testKey, type TestServer } from '../support/server.ts';
import { expectRefusedStart, serverCommand } from './command.ts';
import { ask, until } from './workers.ts';

const company = record(
  'company',
  z.strictObject({
    id: id(),
    name: optional(text()),
    size: optional(integer()),
    user: optional(boolean(), false),
    created_at: timestamp(),
    updated_at: timestamp(),
  }),
);
const office = lineItem('office', z.strictObject({ id: id(), idx: position(), company_id: text() }), {
  parent: { field: 'company_id', table: 'company' },
});
const part = lineItem('part', z.strictObject({ id: id(), idx: position(), machine_id: nullable(text()) }), {
  parent: { field: 'machine_id' },
});
const tables: readonly Table[] = [company, office, part];

function insertOf(table: Table, fields: Readonly<Record<string, Value>> = {}): Write & { op: 'insert' } {
  const created = newId(table.name);
  const all = { id: created.id, created_at: created.time, updated_at: created.time, ...fields };
  const values = table.columns.map(({ name, default: value }) => (name in all ? all[name as 'id'] : value));
  return { op: 'insert', table: table.name, values };
}

/** A database behind a wire, with its URL for a server. Its password must not appear in any output. */
class Setting implements AsyncDisposable {
  database!: PostgresDatabase;
  proxy!: Proxy;
  url!: string;

  /** @param options options of the URL */
  static async make(options: Readonly<Record<string, string>> = {}): Promise<Setting> {
    const setting = new Setting();
    setting.database = await createPostgres('', service.tables);
    const url = new URL(setting.database.url);
    setting.proxy = new Proxy(url.hostname, Number(url.port || 5432));
    await setting.proxy.open();
    url.host = `127.0.0.1:${setting.proxy.port}`;
    url.password ||= 'hidden-from-all';
    for (const [name, value] of Object.entries(options)) url.searchParams.set(name, value);
    setting.url = url.href;
    return setting;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.proxy[Symbol.asyncDispose]();
    await this.database[Symbol.asyncDispose]();
  }
}

const endConnections =
  'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';

const leads = '/api/crm/lead';

async function expectUnavailable(server: TestServer, path = leads): Promise<void> {
  const answer = await server.request('GET', path);
  expect(answer).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(answer.text).not.toMatch(/select|hidden-from-all|127\.0\.0\.1|ECONN|postgres/i);
}

type Asked = (method: string, path: string, body?: object) => Promise<{ status: number }>;

async function expectServing(server: { request: Asked }): Promise<void> {
  for (const path of [leads, '/readyz']) expect((await server.request('GET', path)).status).toBe(200);
  expect((await server.request('POST', leads, { lead_name: 'x' })).status).toBe(201);
}

describePostgres('a server over PostgreSQL', () => {
  test('reads from the primary where READ_DATABASE_URL names no standby, and says so once', async () => {
    await using database = await createPostgres('', service.tables);
    const urls = { DATABASE_URL: database.url, READ_DATABASE_URL: database.url };
    await using server = serverCommand({ env: { ...urls, API_KEYS: testKey } });
    const url = await server.url();
    await expectServing({ request: (...args) => ask(url, ...args) });
    const warnings = (): number =>
      `${server.stdout}${server.stderr}`.split('is not read, reads go to the primary: The server is no standby.')
        .length - 1;
    await until('it is said', () => warnings() > 0);
    await expectServing({ request: (...args) => ask(url, ...args) });
    expect(warnings()).toBe(1);
  });

  test('names the field whose text is too long for an index, and stores nothing of the record', async () => {
    await using database = await createPostgres('', service.tables);
    await using server = serverCommand({ env: { DATABASE_URL: database.url, API_KEYS: testKey } });
    const url = await server.url();
    // Random text, because compressible text takes less room.
    const name = randomBytes(3_000).toString('base64');
    const { status, body } = await ask(url, 'POST', '/api/crm/lead', { lead_name: name });
    expect(status).toBe(413);
    expect(body).toMatchObject({ code: 'body_too_large', detail: expect.stringContaining('in lead_name is too long') });
    expect((await ask(url, 'GET', '/api/crm/lead')).body).toMatchObject({ total: 0 });
    expect((await ask(url, 'POST', '/api/crm/lead', { lead_name: 'Ann', territory: name })).status).toBe(201);
  });

  describe('starts', () => {
    test('when the database comes within some seconds', async () => {
      await using setting = await Setting.make();
      await setting.proxy.cut();
      await using server = serverCommand({ env: { DATABASE_URL: setting.url, API_KEYS: testKey } });
      await until('it has been tried', () => server.stderr.includes('Trying again'));
      await setting.proxy.open();
      const url = await server.url();
      await expectServing({ request: (...args) => ask(url, ...args) });
    });

    test('or says that the database cannot be reached, and shows no password', async () => {
      const url = 'postgres://someone:hidden-from-all@127.0.0.1:1/records?connect_timeout=1';
      const begin = Date.now();
      const refusal: unknown = await openPostgres(url, tables, true).catch((error: unknown) => error);
      expect(Date.now() - begin).toBeGreaterThan(3_000);
      expect(refusal).toBeInstanceOf(CliError);
      expect(String(refusal)).toContain('127.0.0.1:1');
      expect(String(refusal)).not.toMatch(/hidden-from-all|someone/);
    });

    test('or says at once that there is no such database', async () => {
      await using setting = await Setting.make();
      await using server = serverCommand({ env: { DATABASE_URL: `${setting.url}_none`, API_KEYS: testKey } });
      const message = expectRefusedStart(await server.end());
      expect(message).toContain(`${setting.database.name}_none`);
      expect(message).not.toContain('hidden-from-all');
      expect(message).not.toContain('Trying again');
    });

    test('not without an API key, and says how to give one', async () => {
      await using server = serverCommand({ env: { DATABASE_URL: 'postgres://127.0.0.1/records' } });
      expect(expectRefusedStart(await server.end())).toMatch(/API_KEYS.*openssl rand/s);
    });

    test('not on a database that cannot hold every text', async () => {
      await using database = await createPostgres(`encoding latin1 locale 'C' template template0`);
      await expect(openPostgres(database.url, tables, true)).rejects.toThrow(/LATIN1/);
    });
  });

  describe('while the database', () => {
    test('is away: 503 with Retry-After, and serves again by itself', async () => {
      await using setting = await Setting.make();
      await using server = await startServer({ env: { DATABASE_URL: setting.url } });
      await expectServing(server);
      await setting.proxy.cut();
      for (const path of [leads, `${leads}/lead_x`, '/readyz']) await expectUnavailable(server, path);
      expect((await server.request('POST', leads, { lead_name: 'x' })).status).toBe(503);
      expect((await server.request('GET', '/healthz')).status).toBe(200);
      await setting.proxy.open();
      await expectServing(server);
      expect(await server.stop()).toBe(0);
    });

    test('is silent: answers in the end, and serves again by itself', async () => {
      // How long it waits follows from how long the database may take.
      await using setting = await Setting.make({ options: '-c statement_timeout=1000', connect_timeout: '1' });
      await using server = await startServer({ env: { DATABASE_URL: setting.url } });
      await expectServing(server);
      setting.proxy.fallSilent();
      const begin = Date.now();
      const [get, post] = await Promise.all([
        server.request('GET', leads),
        server.request('POST', leads, { lead_name: 'y' }),
      ]);
      expect([get.status, post.status]).toEqual([503, 503]);
      expect(Date.now() - begin).toBeLessThan(15_000);
      setting.proxy.speak();
      await expectServing(server);
    });

    test('ends connections: reads do not fail, and confirmed writes are there', async () => {
      await using setting = await Setting.make();
      await using server = await startServer({ env: { DATABASE_URL: setting.url } });
      const over = new AbortController();
      const created: string[] = [];
      const statuses = new Set<string>();
      const clients = Array.from({ length: 8 }, async () => {
        while (!over.signal.aborted) {
          const post = await server.request('POST', leads, { lead_name: 'x' });
          statuses.add(`POST ${post.status}`);
          if (post.status === 201) created.push((post.body as { id: string }).id);
          statuses.add(`GET ${(await server.request('GET', leads)).status}`);
        }
      });
      for (let n = 0; n < 5; n++) {
        const enough = created.length + 25;
        await until('writes go on', () => created.length >= enough);
        if (n < 4) await setting.database.query(endConnections);
      }
      over.abort();
      await Promise.all(clients);
      const rows = await setting.database.query<{ id: string }>('select "id" from "lead"');
      const stored = new Set(rows.map((row) => row.id));
      expect(created.filter((one) => !stored.has(one))).toEqual([]);
      const [total] = await setting.database.query<{ n: string }>(
        `select sum("count") as n from "_row_counter" where "table" = 'lead'`,
      );
      expect(Number(total?.n)).toBe(rows.length);
      expect([...statuses].filter((status) => status !== 'POST 503').toSorted()).toEqual(['GET 200', 'POST 201']);
    });

    test('takes no writes: reads go on', async () => {
      await using setting = await Setting.make();
      await using server = await startServer({ env: { DATABASE_URL: setting.url } });
      const { name } = setting.database;
      const makeReadOnly = (): Promise<unknown> =>
        setting.database.query(`alter database ${name} set default_transaction_read_only = on; ${endConnections}`);
      await makeReadOnly();
      const post = await server.request('POST', leads, { lead_name: 'x' });
      expect(post).toMatchObject({ status: 503, body: { code: 'unavailable' } });
      expect((await server.request('GET', leads)).status).toBe(200);
      await setting.database.query(`set transaction read write; alter database ${name} reset all`);
      await expectServing(server);
    });
  });
});

describePostgres('a store over PostgreSQL', () => {
  const withStore = async (
    work: (store: MainStore, database: PostgresDatabase) => Promise<void>,
    query = '',
  ): Promise<void> => {
    await using database = await createPostgres();
    await using store = await openPostgres(`${database.url}${query}`, tables, true);
    await work(store, database);
  };

  test('repeats what serializable transactions were in the way of', async () => {
    const query = `?options=${encodeURIComponent('-c default_transaction_isolation=serializable')}`;
    await withStore(async (store, database) => {
      const inserts = Array.from({ length: 24 }, () => insertOf(part, { machine_id: 'm', idx: null }));
      const ends = await Promise.all(inserts.map((one) => store.write(one)));
      expect(new Set(ends.map(({ outcome }) => outcome))).toEqual(new Set(['written']));
      const rows = await database.query<{ idx: string }>('select "idx" from "part" order by "idx"');
      expect(rows.map(({ idx }) => Number(idx))).toEqual(inserts.map((_, n) => n + 1));
    }, query);
  });

  test('repeats a write that a deadlock has ended', async () => {
    // PostgreSQL looks for a deadlock once, so long after a wait begins: the store must look after both wait, and the other one never.
    const query = `?options=${encodeURIComponent('-c deadlock_timeout=1s')}`;
    await withStore(async (store, database) => {
      const parent = insertOf(company);
      const item = insertOf(office, { company_id: parent.values[0] as string });
      await store.write(parent);
      await store.write(item);
      await using other = await database.connect();
      const lock = ({ table, values }: typeof item): Promise<unknown> =>
        other.query(`select 1 from "${table}" where "id" = '${String(values[0])}' for update`);
      await other.query(`set deadlock_timeout = '1min'; begin`);
      await lock(item);
      const end = store.write({ op: 'delete', table: 'company', id: String(parent.values[0]), time: '' });
      await untilBlocked(database);
      await lock(parent);
      await other.query('commit');
      expect(await end).toEqual({ outcome: 'deleted' });
      expect(await database.query('select 1 from "office"')).toEqual([]);
    }, query);
  });

  test('a batch that moves an item waits for no parent that has no totals', async () => {
    await withStore(async (store, database) => {
      const [former, latter] = [insertOf(company), insertOf(company)];
      const [from, to] = [former, latter].map(({ values }) => values[0] as string);
      const item = insertOf(office, { company_id: from as string });
      for (const write of [former, latter, item]) await store.write(write);
      await using other = await database.connect();
      await other.query(`begin; select 1 from "company" where "id" = '${from}' for share`);
      const move = { op: 'update', table: 'office', id: String(item.values[0]), expected: {}, time: '' } as const;
      const writes = [{ ...move, set: { company_id: to as string } }];
      expect(await store.write({ op: 'batch', table: 'office', writes, isTrial: false })).toMatchObject({
        outcome: 'done',
      });
    });
  });

  test('gives everything a limit, unless its URL does', async () => {
    await using database = await createPostgres();
    const limits = async (query = ''): Promise<unknown> => {
      const names = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
      const sql = `select ${names.map((name) => `current_setting('${name}')`).join(', ')}`;
      return withConnection(readConnectionOptions(`${database.url}${query}`), (connection) => connection.query(sql));
    };
    expect(await limits()).toEqual([['8s', '5s', '15s']]);
    const options = `?options=${encodeURIComponent('-c statement_timeout=0 -c lock_timeout=7min')}`;
    expect(await limits(options)).toEqual([['0', '7min', '15s']]);
  });

  test('does not wait for ever for a lock of another program', async () => {
    const query = `?options=${encodeURIComponent('-c lock_timeout=300')}`;
    await withStore(async (store, database) => {
      const one = insertOf(company);
      await store.write(one);
      const where = `"id" = '${String(one.values[0])}'`;
      await using other = await database.connect();
      await other.query(`begin; update "company" set "size" = 1 where ${where}`);
      const update = { op: 'update', table: 'company', id: String(one.values[0]), expected: {} } as const;
      const waiting = store.write({ ...update, set: { size: 2 }, time: newId('x').time });
      await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
      expect(await jsonOf(store, 'company', String(one.values[0]))).toContain('"size":null');
    }, query);
  });

  test('reads a short page at one moment, however many records it may have', async () => {
    await withStore(async (store) => {
      const parts = Array.from({ length: 10 }, () => insertOf(part, { machine_id: 'm', idx: null }));
      for (const one of parts) await store.write(one);
      const over = new AbortController();
      const reorders = async (): Promise<void> => {
        for (let turn = 1; !over.signal.aborted; turn++) {
          const idOf = (n: number): string => String(parts[(n + turn) % parts.length]?.values[0]);
          const items = parts.map((_, n) => ({ id: idOf(n), idx: turn * 100 + n }));
          await store.write({ op: 'reorder', table: 'part', items });
        }
      };
      const reordering = reorders();
      for (let n = 0; n < 40; n++) {
        const page = await store.list('part', { limit: 1_000, offset: 0, where: { machine_id: 'm' } });
        const places = (JSON.parse(`[${page?.items as string}]`) as { idx: number }[]).map(({ idx }) => idx);
        expect(places).toEqual(parts.map((_, place) => (places[0] ?? NaN) + place));
      }
      over.abort();
      await reordering;
    });
  });

  test('goes on with its connections if it gets no more', async () => {
    await using database = await createPostgres();
    const role = `${database.name}_role`;
    await database.query(`create role ${role} login password 'x' connection limit 1`);
    await database.query(`alter database ${database.name} owner to ${role}`);
    try {
      const url = Object.assign(new URL(database.url), { username: role, password: 'x' });
      await using store = await openPostgres(url.href, tables, true);
      const counts = await Promise.all(
        Array.from({ length: 200 }, () => store.list('company', { limit: 1, offset: 0 })),
      );
      expect(new Set(counts.map((page) => page?.total))).toEqual(new Set([0]));
      await expect(store.write(insertOf(company))).rejects.toMatchObject({ code: 'unavailable' });
      expect(await store.get('company', 'none')).toBeUndefined();
      await database.query(`alter role ${role} connection limit 10`);
      expect(await store.write(insertOf(company))).toMatchObject({ outcome: 'written' });
    } finally {
      await database.query(`reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role}`);
    }
  });

  test('has a connection for writes before others take all that there are', async () => {
    await using database = await createPostgres();
    const role = `${database.name}_role`;
    await database.query(`create role ${role} login password 'x' connection limit 4`);
    await database.query(`alter database ${database.name} owner to ${role}`);
    try {
      const url = Object.assign(new URL(database.url), { username: role, password: 'x' });
      const store = await openPostgres(url.href, tables, true);
      const others: Client[] = [];
      try {
        for (let isFull = false; !isFull;) {
          const other = new Client({ connectionString: url.href });
          isFull = await other.connect().then(
            () => others.push(other) > 10,
            () => true,
          );
        }
        const writes = Array.from({ length: 20 }, () => store.write(insertOf(company)));
        for (const result of await Promise.all(writes)) expect(result).toMatchObject({ outcome: 'written' });
      } finally {
        await Promise.all(others.map((other) => other.end()));
        await store.close();
      }
    } finally {
      await database.query(`reassign owned by ${role} to current_user; drop owned by ${role}; drop role ${role}`);
    }
  });

  test('prepares nothing more once a statement that was prepared is unknown', async () => {
    await withStore(async (_, { url }) => {
      await withConnection(readConnectionOptions(url), async (connection) => {
        const askBoth = (): Promise<unknown> =>
          connection.queryAll(['select 1', 'select 2'].map((sql) => ({ text: sql, values: [] })));
        // A statement is prepared at its second use.
        await askBoth();
        await askBoth();
        await connection.query('deallocate all');
        await expect(askBoth()).rejects.toMatchObject({ code: '26000' });
        expect(await askBoth()).toEqual([[['1']], [['2']]]);
      });
    });
  });

  test('stores nothing of a create whose row counter cannot be changed, also when its statements are prepared', async () => {
    await withStore(async (store, database) => {
      for (let n = 0; n < 60; n++) await store.write(insertOf(company));
      await database.query('alter table "_row_counter" add constraint _full check ("count" < 1) not valid');
      const creates = Array.from({ length: 20 }, () => store.write(insertOf(company)));
      const refused = (await Promise.allSettled(creates)).filter(({ status }) => status === 'rejected');
      expect(refused).toHaveLength(20);
      const [stored] = await database.query<{ rows: number }>('select count(*)::int as rows from "company"');
      expect(stored).toEqual({ rows: 60 });
      await database.query('alter table "_row_counter" drop constraint _full');
      expect(await store.write(insertOf(company))).toMatchObject({ outcome: 'written' });
      expect(await store.list('company', { limit: 1, offset: 0 })).toMatchObject({ total: 61 });
    });
  });

  test('gives a page of long records in pieces, none of them cut wrongly', async () => {
    await withStore(async (store) => {
      // Two bytes each, and an odd one before them: a slice ends within a character.
      const names = [`x${'ö'.repeat(400_000)}`, 'short', `"${'\u{1F600}\n'.repeat(100_000)}`, 'y'.repeat(20_000)];
      for (const name of names) await store.write(insertOf(company, { name }));
      const page = await store.list('company', { limit: 20, offset: 0 });
      expect(page).toMatchObject({ total: 4, hasMore: false });
      const pieces: Buffer[] = [];
      for await (const piece of itemsOf(store, 'company', page as Listing) as ItemStream)
        pieces.push(Buffer.from(piece));
      const rows = JSON.parse(`[${Buffer.concat(pieces).toString()}]`) as { name: string }[];
      expect(rows.map(({ name }) => name)).toEqual(names.toReversed());
    });
  });

  test('finds the page at any offset of 3,000, from whichever end', async () => {
    await withStore(async (store, database) => {
      const idOf = (n: number): string => `company_${String(n).padStart(26, '0')}`;
      await database.query(
        `insert into "company" ("_organization", "id", "created_at", "updated_at")
           select 1, 'company_' || lpad(n::text, 26, '0'), '', '' from generate_series(1, 3000) n;
         insert into "_row_counter" values (1, 'company', '', 7, 3000)`,
      );
      for (const offset of [0, 1_001, 1_500, 2_499, 2_500, 2_990, 2_999, 3_000, 4_000]) {
        const page = await store.list('company', { limit: 15, offset });
        expect(page, `at ${offset}`).toMatchObject({ total: 3_000, hasMore: offset < 2_985 });
        const rows = JSON.parse(`[${page?.items as string}]`) as { id: string }[];
        const wanted = Array.from({ length: Math.max(0, Math.min(15, 3_000 - offset)) }, (_, n) => 3_000 - offset - n);
        expect(rows.map((row) => row.id)).toEqual(wanted.map(idOf));
      }
    });
  });

  test('goes on when updates have had more sets of fields than a connection prepares statements for', async () => {
    const columns = Array.from({ length: 12 }, (_, n) => `field_${n}`);
    const wide = record(
      'wide',
      z.strictObject({
        id: id(),
        ...Object.fromEntries(columns.map((name) => [name, optional(integer())] as const)),
        created_at: timestamp(),
        updated_at: timestamp(),
      }),
    );
    await using database = await createPostgres();
    await using store = await openPostgres(database.url, [wide], true);
    const one = insertOf(wide);
    await store.write(one);
    for (let shape = 1; shape < 1_050; shape++) {
      const set = Object.fromEntries(columns.filter((_, n) => (shape >> n) & 1).map((name) => [name, shape]));
      for (let n = 0; n < 2; n++) {
        const update = { op: 'update', table: 'wide', id: String(one.values[0]), set, expected: {} } as const;
        expect(await store.write({ ...update, time: newId('x').time })).toMatchObject({ outcome: 'written' });
      }
    }
  });
});
