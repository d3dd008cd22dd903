import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { expect, test, vi } from 'vitest';

import { createRecord, updateRecord } from '../support/operations.ts';
import { integer, optional, text } from '../../runtime/kernel/model/fields.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import { readConnectionOptions } from '../../runtime/engines/postgres/connection-options.ts';
import { withConnection } from '../../runtime/engines/postgres/connection.ts';
import { migrateSchema, planMigration, recount } from '../../runtime/migrations/driver.ts';
import { withPostgres } from '../../runtime/migrations/postgres.ts';
import { SchemaGuard } from '../../runtime/migrations/schema-guard.ts';
import type { DestructiveChanges } from '../../runtime/migrations/types.ts';
import { noDestructiveChanges } from '../../runtime/migrations/requests.ts';
import { searchOf } from '../../runtime/features/search/search.ts';
import { jsonOf, type MainStore, onlyJson, openPostgres } from '../support/main-store.ts';
import { createPostgres, describePostgres, type PostgresDatabase, untilBlocked } from '../support/postgres.ts';
import { company, externalNote, newer, note, older, renaming, settings } from './tables.ts';
import { serviceName } from '../support/databases.ts';
import { features } from '../../runtime/features.ts';

const [companyTable] = older as [Table];

/** Opens a store, and closes it after the work. */
async function open<T>(
  database: PostgresDatabase,
  tables: readonly Table[],
  work: (store: MainStore) => Promise<T>,
  mayChange = true,
): Promise<T> {
  await using store = await openPostgres(database.url, tables, mayChange);
  return await work(store);
}

const sync = (database: PostgresDatabase, tables: readonly Table[]): Promise<void> =>
  open(database, tables, async () => {});

/** Migrates like `npm run migrate`. */
const migrate = (
  { url }: PostgresDatabase,
  tables: readonly Table[],
  requested: Partial<DestructiveChanges> = {},
): Promise<unknown> =>
  withPostgres(url, serviceName, (database) =>
    migrateSchema(features.list, database, tables, {
      incompatible: true,
      requested: { ...noDestructiveChanges, ...requested },
    }),
  );

const columnsOf = async (database: PostgresDatabase, table: string): Promise<unknown[]> =>
  (
    await database.query(
      'select column_name from information_schema.columns where table_name = $1 order by ordinal_position',
      [table],
    )
  ).map((row) => row['column_name']);

const detailOf = async (promise: unknown): Promise<string> => {
  try {
    await promise;
  } catch (error) {
    expect(error).toMatchObject({ code: 'unavailable' });
    return (error as Error).message;
  }
  throw new Error('It is available.');
};

/** Asks again and again until the store is ready. */
const becomesReady = (store: MainStore): Promise<void> =>
  vi.waitFor(() => store.check(), { timeout: 20_000, interval: 20 });

describePostgres('starts', () => {
  test('several at one moment make one database, and migrate an older one to the spec', async () => {
    for (let round = 0; round < 2; round++) {
      await using database = await createPostgres();
      for (const tables of [older, newer]) {
        const stores = await Promise.all(Array.from({ length: 4 }, () => openPostgres(database.url, tables, true)));
        for (const store of stores) await becomesReady(store);
        await Promise.all(stores.map((store) => createRecord(store, tables[0] as Table, { name: 'Acme' })));
        await Promise.all(stores.map((store) => store.close()));
      }
      expect(await columnsOf(database, 'company')).toEqual([
        '_organization',
        'id',
        'name',
        'created_at',
        'updated_at',
        '_version',
        'size',
        'city',
      ]);
      expect(await database.query('select "limit" from options')).toEqual([{ limit: '5' }]);
      expect(await database.query('select size from company order by id')).toHaveLength(8);
      const totals = await database.query('select "table", sum("count") as sum from _row_counter group by 1');
      expect(totals).toEqual([{ table: 'company', sum: '8' }]);
    }
  });

  test('a new column rewrites nothing, and older rows have its default', async () => {
    await using database = await createPostgres();
    await open(database, older, (store) => createRecord(store, companyTable, { name: 'Acme' }));
    const files = (): Promise<unknown[]> =>
      database.query(
        `select relname, pg_relation_filenode(oid) from pg_class where relname like 'company%' order by 1`,
      );
    const before = await files();
    await open(database, newer, async (store) => {
      const { items } = (await store.list('company', { limit: 10, offset: 0 })) ?? {};
      expect(JSON.parse(String(items))).toMatchObject({ name: 'Acme', size: 3, city: null });
    });
    expect(before).toHaveLength(2);
    expect(await files()).toEqual(before);
  });

  test('nobody waits long behind a change that waits for a long transaction', async () => {
    await using database = await createPostgres();
    await open(database, older, (store) => createRecord(store, companyTable, { name: 'Acme' }));
    const [long, reader] = [new Client(database.url), new Client(database.url)];
    await Promise.all([long.connect(), reader.connect()]);
    try {
      await long.query('begin');
      await long.query('select * from company');
      const started = openPostgres(database.url, newer, true);
      const waits: number[] = [];
      // Until it has been tried twice: then a reader has waited behind it. Without a lock timeout, it would wait for ever.
      while (waits.filter((wait) => wait > 200).length < 2) {
        const asked = performance.now();
        await reader.query('select * from company');
        waits.push(performance.now() - asked);
        await sleep(10);
      }
      expect(await columnsOf(database, 'company')).not.toContain('size');
      await long.query('commit');
      const store = await started;
      await becomesReady(store);
      await store.close();
      expect(await columnsOf(database, 'company')).toContain('size');
    } finally {
      await Promise.all([long.end(), reader.end()]);
    }
  });

  test('a transaction that outlasts the start leaves a server that waits, and then serves', async () => {
    await using database = await createPostgres();
    await sync(database, older);
    const long = new Client(database.url);
    await long.connect();
    try {
      await long.query('begin');
      await long.query('select * from company');
      const guard = new SchemaGuard(
        features.list,
        (work) => withConnection(readConnectionOptions(database.url), work),
        newer,
        true,
      );
      await guard.update();
      expect(guard.isReady).toBe(false);
      expect(await detailOf(guard.ready())).toContain('being changed');
      await long.query('commit');
      await vi.waitFor(() => guard.ready(), { timeout: 20_000, interval: 20 });
      expect(guard.isReady).toBe(true);
    } finally {
      await long.end();
    }
  });

  test('what would lose data is refused, and nothing is changed', async () => {
    await using database = await createPostgres();
    await sync(database, older);
    const other = [company({ name: optional(integer()), size: optional(integer()) })];
    await expect(sync(database, other)).rejects.toThrow('npm run migrate -- --convert company.name');
    expect(await columnsOf(database, 'company')).not.toContain('size');
  });

  test.each([true, false])(
    'what the database refuses twice ends the start, and is told in its words (%s)',
    async (isNew) => {
      await using database = await createPostgres();
      if (!isNew) await sync(database, older);
      await database.query('create view note as select 1');
      await expect(sync(database, newer)).rejects.toThrow(
        expect.objectContaining({
          name: 'CliError',
          message: expect.stringMatching(/refused .*"note" already exists/),
        }),
      );
      await expect(migrate(database, newer)).rejects.toThrow('"note" already exists');
    },
  );

  // The check of a spec refuses these names: they stand for all that a database may refuse.
  test.each([
    ['a new table', [company({ xmin: optional(text()) })], /refused .*"xmin" conflicts with a system column/],
    [
      'a column',
      [company({ name: text(), xmin: optional(text()) })],
      /refused .*"xmin" conflicts with a system column/,
    ],
    ['the record of settings', [settings('pg_policy')], /refused .*column "_organization" does not exist/],
  ] as const)(
    '%s that is refused is no race, in a start, in a later check and in npm run migrate',
    async (what, tables, words) => {
      await using database = await createPostgres();
      if (what === 'a column') await sync(database, older);
      const refusal = expect.objectContaining({ name: 'CliError', message: expect.stringMatching(words) });
      await expect(sync(database, tables)).rejects.toThrow(refusal);
      await expect(migrate(database, tables)).rejects.toThrow(refusal);
      const connection = readConnectionOptions(database.url, 'DATABASE_URL', serviceName);
      const guard = new SchemaGuard(features.list, (work) => withConnection(connection, work), tables, true);
      await expect(guard.update()).rejects.toThrow(refusal);
      await vi.waitFor(async () => expect(await detailOf(guard.ready())).toMatch(words), {
        timeout: 20_000,
        interval: 300,
      });
    },
  );

  test('an index that was not finished is built again', async () => {
    await using database = await createPostgres();
    await sync(database, newer);
    await database.query(`update pg_index set indisvalid = false where indexrelid = 'note_by_parent'::regclass`);
    await open(database, newer, (store) => store.check());
    const valid = await database.query(`select indisvalid from pg_index where indexrelid = 'note_by_parent'::regclass`);
    expect(valid).toEqual([{ indisvalid: true }]);
  });
});

describePostgres('starts while another one builds an index', () => {
  const searched: Table = { ...companyTable, list: { filter: [], sort: ['name'], search: ['name'] } };
  const indexes = ['_company.name.asc', String(searchOf(searched)?.name)];
  // Transactions that the build waits for, before it reads the rows or when all of them are in the index.
  const slow = [
    ['a write', `insert into company values (1, 'company_x', 'Acme', '', '')`],
    ['a snapshot', `set transaction isolation level repeatable read; select * from company`],
  ] as const;
  const cases = indexes.flatMap((index) => slow.map(([what, sql]) => [index, what, sql] as const));

  /** Waits until the last statements of so many sessions begin with one of these. */
  const untilAsked = (database: PostgresDatabase, statements: string, sessions: number): Promise<unknown> => {
    const asked = `select 1 from pg_stat_activity where datname = current_database() and query ~ $1`;
    const isAsked = async (): Promise<boolean> =>
      (await database.query(asked, [`^(${statements})`])).length === sessions;
    return vi.waitUntil(isAsked, { timeout: 10_000 });
  };
  const looks = 'select 1 from pg_catalog.pg_stat_progress_create_index';

  test.each(cases)('wait for it, and leave what it has built: %s, slowed down by %s', async (index, _, sql) => {
    await using database = await createPostgres();
    await open(database, [searched], (store) => createRecord(store, companyTable, { name: 'Acme' }));
    await database.query(`drop index "${index}"`);
    // In a deadlock, the transaction with the shorter wait gives up.
    await database.query(`alter database ${database.name} set deadlock_timeout = '10ms'`);
    const found = (): Promise<unknown[]> =>
      database.query(`select indexrelid, indisvalid from pg_index where indexrelid = to_regclass($1)`, [`"${index}"`]);
    await using long = await database.connect();
    await long.query('begin');
    await long.query(sql);
    const first = openPostgres(database.url, [searched], true);
    await untilBlocked(database);
    const [built] = await found();
    expect(built).toMatchObject({ indisvalid: false });

    const others = [1, 2].map(() => openPostgres(database.url, [searched], true));
    // However long it takes, they are ready afterwards.
    const guard = new SchemaGuard(
      features.list,
      (work) => withConnection(readConnectionOptions(database.url), work),
      [searched],
      true,
    );
    const guarded = guard.update();
    // They have read the schema, and see who builds; or wait for the lock, to drop the index.
    await untilAsked(database, `${looks}|drop index`, 3);
    await long.query('commit');
    const stores = await Promise.all([first, ...others]);
    try {
      await guarded;
      expect(guard.isReady).toBe(true);
      for (const store of stores) await store.check();
      expect(await found()).toEqual([{ ...(built as object), indisvalid: true }]);
    } finally {
      await Promise.all(stores.map((store) => store.close()));
    }
  });

  test('build it again if the other one fails', async () => {
    await using database = await createPostgres();
    await sync(database, [searched]);
    const [index] = indexes;
    await database.query(`drop index "${index}"`);
    await using long = await database.connect();
    await long.query('begin; insert into company values (1, $$company_x$$, $$Acme$$, $$$$, $$$$)');
    await using other = await database.connect();
    const failing = other.query(`create index concurrently "${index}" on company (id)`);
    await untilBlocked(database);
    const started = withPostgres(database.url, serviceName, async (connection) => {
      let plans = 0;
      const readSchema = connection.readSchema.bind(connection);
      connection.readSchema = () => (plans++, readSchema());
      await migrateSchema(features.list, connection, [searched], { incompatible: false });
      return plans;
    });
    await untilAsked(database, looks, 1);
    await sleep(400);
    const cancel = `select pg_cancel_backend(pid) from pg_stat_progress_create_index where datname = current_database()`;
    await Promise.all([expect(failing).rejects.toThrow('canceling'), database.query(cancel)]);
    await long.query('commit');
    // It has planned once before the end of the other one and once afterwards: the checks of a plan may read much.
    expect(await started).toBe(2);
    const definition = `select pg_get_indexdef(indexrelid) from pg_index where indisvalid and indexrelid = '"${index}"'::regclass`;
    expect(JSON.stringify(await database.query(definition))).toContain('name');
  });
});

describePostgres('what a start does not do', () => {
  test('anything, with MIGRATE=off: the server waits, and says for what', async () => {
    await using database = await createPostgres();
    await sync(database, older);
    await open(
      database,
      newer,
      async (store) => {
        expect(await detailOf(store.check())).toMatch(/npm run migrate.*alter table "company" add column "size"/);
        await detailOf(store.list('company', { limit: 1, offset: 0 }));
        await detailOf(createRecord(store, newer[0] as Table, { name: 'Acme' }));
        expect(await columnsOf(database, 'company')).not.toContain('size');
        await migrate(database, newer);
        await becomesReady(store);
        expect(JSON.parse(await onlyJson(store, 'options'))).toMatchObject({ limit: 5 });
      },
      false,
    );
  });

  test('a rename: the server waits for npm run migrate, and the older one stops serving', async () => {
    await using database = await createPostgres();
    await open(database, older, async (old) => {
      const { id } = await createRecord(old, companyTable, { name: 'Acme' });
      await open(database, renaming, async (store) => {
        expect(await detailOf(store.check())).toMatch(/npm run migrate.*alter table "company" rename to "firm"/);
        await old.check();
        expect(await jsonOf(old, 'company', id)).toContain('Acme');

        await migrate(database, renaming);
        await becomesReady(store);
        expect(JSON.parse(String(await jsonOf(store, 'firm', id)))).toMatchObject({ title: 'Acme' });
        expect(await store.list('firm', { limit: 1, offset: 0 })).toMatchObject({ total: 1 });

        await detailOf(old.get('company', id));
        expect(await detailOf(old.check())).toContain('does not match this version');
        await sleep(1_100);
        await detailOf(old.check());
        expect(await columnsOf(database, 'company')).toEqual([]);
      });
    });
  });

  test('an older server on a schema that is newer by tables and columns is ready, and so is its restart', async () => {
    await using database = await createPostgres();
    await open(database, older, async (old) => {
      await sync(database, newer);
      await old.check();
      const { id } = await createRecord(old, companyTable, { name: 'Acme' });
      await open(database, newer, async (store) => {
        await updateRecord(store, newer[0] as Table, id, { size: 9 });
        await updateRecord(old, companyTable, id, { name: 'Other' });
        expect(JSON.parse(String(await jsonOf(store, 'company', id)))).toMatchObject({ name: 'Other', size: 9 });
      });
      await open(database, older, (restarted) => restarted.check());
    });
    expect(await columnsOf(database, 'company')).toContain('size');
  });
});

describePostgres('npm run migrate', () => {
  test('changes the type of a column, where every value comes back equal', async () => {
    await using database = await createPostgres();
    const desired = [company({ name: optional(integer(), 7) })];
    await sync(database, older);
    const time = '2024-02-29T12:00:00.000Z';
    await database.query(
      `insert into company values (1, 'company_1', '12', '${time}', '${time}'), (1, 'company_2', '012', '${time}', '${time}')`,
    );
    await expect(migrate(database, desired, { convert: ['company.name'] })).rejects.toThrow(
      /1 of its values .*company_2/,
    );
    await database.query(`update company set name = null where id = 'company_2'`);
    await migrate(database, desired, { convert: ['company.name'] });
    await open(database, desired, async (store) => {
      expect(JSON.parse(String(await jsonOf(store, 'company', 'company_1')))).toMatchObject({ name: 12 });
      expect(JSON.parse(String(await jsonOf(store, 'company', 'company_2')))).toMatchObject({ name: null });
    });
  });

  test('changes no type where a value was stored since the first look that would not survive it', async () => {
    await using database = await createPostgres();
    const desired = [company({ name: optional(integer(), 7) })];
    await sync(database, older);
    const time = '2024-02-29T12:00:00.000Z';
    await database.query(`insert into company values (1, 'company_1', '12', '${time}', '${time}')`);
    await using connection = await database.connect();
    await connection.query(`begin; update company set name = 'Acme'`);
    const refusal = expect(migrate(database, desired, { convert: ['company.name'] })).rejects.toThrow(
      /1 of its values .*company_1/,
    );
    await untilBlocked(database);
    await connection.query('commit');
    await refusal;
    expect(await database.query('select name from company')).toEqual([{ name: 'Acme' }]);
  });

  test('changes a type at the first attempt, even if somebody wants to change a row meanwhile', async () => {
    await using database = await createPostgres();
    const desired = [company({ name: optional(integer(), 7) })];
    await sync(database, older);
    await database.query(
      `insert into company values (1, 'company_1', '12', 't', 't');
      create sequence attempts;
      create function pause() returns trigger language plpgsql as $$ begin
        if current_query() like '%_converted%' then perform nextval('attempts'), pg_sleep(0.4); end if;
        return null;
      end $$;
      create trigger pause before update on company execute function pause()`,
    );
    await using connection = await database.connect();
    const migrated = migrate(database, desired, { convert: ['company.name'] });
    const sleeping = `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
    await vi.waitUntil(async () => (await database.query(sleeping)).length > 0, { timeout: 10_000, interval: 10 });
    await connection.query('begin; select id from company for no key update');
    await connection.query(`update company set name = '13'; commit`);
    await migrated;
    expect(await database.query('select last_value from attempts')).toEqual([{ last_value: '1' }]);
    expect(await database.query('select name from company')).toEqual([{ name: '13' }]);
  });

  test('drops what it is told to, and nothing that the spec has', async () => {
    await using database = await createPostgres();
    await open(database, newer, (store) => createRecord(store, newer[0] as Table, { name: 'Acme' }));
    for (const name of ['company', 'company.name']) {
      await expect(migrate(database, older, { drop: [name] })).rejects.toThrow(`--drop ${name}: only a table`);
    }
    await migrate(database, older, { drop: ['note', 'company.size'] });
    const { orphaned } = await withPostgres(database.url, serviceName, (connection) =>
      planMigration(features.list, connection, older),
    );
    expect(orphaned).toEqual([
      { table: 'company', column: 'city', actualTable: 'company' },
      { table: 'options', actualTable: 'options' },
    ]);
    expect(await columnsOf(database, 'note')).toEqual([]);
    expect(await columnsOf(database, 'company')).toEqual([
      '_organization',
      'id',
      'name',
      'city',
      'created_at',
      'updated_at',
      '_version',
    ]);
  });

  test('rebuilds row counters while servers write', async () => {
    await using database = await createPostgres();
    const tables = [companyTable, note()];
    await open(database, tables, async (store) => {
      const parents = await Promise.all(
        Array.from({ length: 20 }, () => createRecord(store, companyTable, { name: 'Acme' })),
      );
      await database.query(
        `update _row_counter set "count" = "count" + 5; insert into _row_counter values (1, 'note', 'x', 0, 9)`,
      );
      const writing = { isOver: false };
      const writers = Array.from({ length: 8 }, async (_, place) => {
        for (let i = place; !writing.isOver; i++) {
          const { id } = parents[i % parents.length] as { id: string };
          const { id: item } = await createRecord(store, tables[1] as Table, { company_id: id });
          const made = await createRecord(store, companyTable, { name: 'More' });
          if (i % 3 === 0) await store.write({ op: 'delete', table: 'company', id: made.id, time: '' });
          if (i % 4 === 0) await store.write({ op: 'delete', table: 'note', id: item, time: '' });
        }
      });
      await withPostgres(database.url, serviceName, async (connection) => {
        try {
          expect(await recount(connection, tables)).toEqual(['company', 'note']);
          for (let i = 0; i < 5; i++) expect(await recount(connection, tables)).toEqual([]);
        } finally {
          writing.isOver = true;
          await Promise.all(writers);
        }
        expect(await recount(connection, tables)).toEqual([]);
      });
    });
  });

  test('counts the items of parents with a short id only, and leaves the locks of the others as they are', async () => {
    await using database = await createPostgres();
    const tables = [externalNote()] as const;
    await open(database, tables, async (store) => {
      for (const length of [499, 500, 501]) await createRecord(store, tables[0], { company_id: 'x'.repeat(length) });
    });
    await withPostgres(database.url, serviceName, async (connection) => {
      expect(await recount(connection, tables)).toEqual([]);
    });
    const counters = await database.query('select length("parent") as length, "count" from _row_counter order by 1');
    expect(counters).toEqual([
      { length: 499, count: '1' },
      { length: 500, count: '0' },
    ]);
  });

  test('updates the statistics of the planner with the row counters', async () => {
    await using database = await createPostgres();
    await sync(database, [externalNote()]);
    await database.query(`insert into note select 1, 'note_' || i, i, 'x' from generate_series(1, 1000) i`);
    await withPostgres(database.url, serviceName, async (connection) => {
      expect(await recount(connection, [externalNote()])).toEqual(['note']);
    });
    const statistics = await database.query(`select reltuples from pg_class where relname = 'note'`);
    expect(statistics).toEqual([{ reltuples: 1_000 }]);
  });

  test('the primary key serves lists in the order of bytes', async () => {
    await using database = await createPostgres(`template template0 locale_provider icu icu_locale 'en'`);
    await sync(database, [company({ name: text() })]);
    const plan = await database.query(
      'explain select * from company where _organization = 1 order by id desc limit 20',
    );
    expect(JSON.stringify(plan)).toContain('company_pkey');
  });
});
