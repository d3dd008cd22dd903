import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';

import { integer, optional, renamed, text } from '../../runtime/model/fields.ts';
import type { Table } from '../../runtime/model/table.ts';
import { commonDialect } from '../../runtime/sql/schema.ts';
import { indexedParent } from '../../runtime/postgres/dialect.ts';
import { applicationId } from '../../runtime/sqlite/identity.ts';
import { Folder } from '../server/command.ts';
import { runInProcess } from '../server/in-process.ts';
import { service } from '../service/generated/app.ts';
import {
  describeEngine,
  type Engine,
  engines,
  expectExactTotals,
  serviceName,
  type TestDatabase,
  textOf,
} from '../support/databases.ts';
import { createOlderSchema } from './older.ts';
import { company, note, settings } from './tables.ts';

const options = settings('options');
const older: readonly Table[] = [
  company({ name: text(), size: optional(integer(), 3), fax: optional(text(), 'none') }),
  company({ title: optional(text()) }, 'branch', ['site']),
  note({ text: optional(text()) }),
  options,
  company({ name: optional(text()) }, 'gone'),
];
/** Without the column `fax` and the table `gone`. */
const newer: readonly Table[] = [
  company({ name: text(), size: optional(integer(), 3) }),
  company({ title: optional(text()) }, 'branch', ['site']),
  note({ text: optional(text()) }),
  options,
];

const time = '2026-01-01T00:00:00.000Z';
const rows = 30;

function contents(): string[] {
  const numbers = Array.from({ length: rows }, (_, n) => String(n + 100));
  return [
    ...numbers.map(
      (n) => `insert into company values ('company_${n}', 'It''s ${n}', ${n}, 'fax ${n}', '${time}', '${time}')`,
    ),
    ...numbers.map(
      (n) => `insert into note values ('note_${n}', ${n}, 'company_${100 + (Number(n) % 3)}', 'text ${n}')`,
    ),
    `insert into branch values ('site_1', 'One', '${time}', '${time}')`,
    `insert into options values ('options_1', 7, '${time}', '${time}')`,
    `insert into gone values ('gone_1', 'kept', '${time}', '${time}')`,
    `update _row_counter set "count" = ${rows} where "table" = 'company'`,
    `update _row_counter set "count" = 1 where "table" in ('branch', 'gone')`,
    ...[100, 101, 102].map((n) => `insert into _row_counter values ('note', 'company_${n}', 0, ${rows / 3})`),
    `insert into _required_column values ('company.name'), ('note.company_id')`,
  ];
}

/** Makes the database of the version before. */
async function makeOlder({ name }: Engine, database: TestDatabase): Promise<void> {
  const isSqlite = name === 'SQLite';
  const dialect = isSqlite ? commonDialect : { ...commonDialect, byBytes: 'collate "C"', indexedParent };
  const claim = isSqlite ? [`pragma application_id = ${applicationId(serviceName)}`, 'pragma user_version = 1'] : [];
  await database.execute([...claim, ...createOlderSchema(older, dialect), ...contents()].join(';\n'));
}

const migrate = ({ url }: TestDatabase, tables: readonly Table[], ...args: string[]) =>
  runInProcess({ ...service, name: serviceName, tables }, { DATABASE_URL: url }, 'migrate', ...args);

/** Rows in the order of their ids, without the organization. */
async function rowsOf(database: TestDatabase, table: string): Promise<unknown[]> {
  const found = await database.query(`select * from "${table}" order by id`);
  return found.map(({ _organization, ...row }) => row);
}

const orderOf = async (database: TestDatabase, table: string): Promise<string[]> =>
  Object.keys((await database.query(`select * from "${table}"`))[0] ?? {});

for (const engine of engines) {
  describeEngine(engine, 'a database of the version without organizations', () => {
    test('is planned as an incompatible step, and then nothing is lost: all of it is of main', async () => {
      await using database = await engine.create();
      await makeOlder(engine, database);
      const tables = ['company', 'branch', 'note', 'options'];
      // Views of the operator stay.
      await database.execute('create view sizes as select sum(size) as sum from company');
      const before: unknown[] = [];
      for (const table of tables) before.push(await rowsOf(database, table));
      const order = await orderOf(database, 'company');

      const plan = await migrate(database, newer, '--plan');
      expect([plan.code, plan.stderr]).toEqual([3, '']);
      expect(plan.stdout).toContain('-- Incompatible with servers of another version; stop them first:');
      expect(plan.stdout).toContain('primary key ("_organization", "id")');
      expect(plan.stdout).toContain('primary key ("_organization", "table", "parent", "shard")');
      expect(plan.stdout).toContain('Column "fax" of table "company" keeps its data, which no field shows. 30 rows');
      expect(plan.stdout).toContain('Table "gone" keeps its rows');

      if (engine.name === 'PostgreSQL') {
        const waiting = await database.open(newer);
        await expect(waiting.check()).rejects.toThrow('npm run migrate');
        await waiting.close();
        expect((await migrate(database, newer)).stderr).toBe('');
      }
      const store = await database.open(newer);
      for (const [n, table] of tables.entries()) {
        expect(await rowsOf(database, table)).toEqual(before[n]);
        expect(await database.query(`select 1 from "${table}" where "_organization" <> 1`)).toEqual([]);
      }
      const listing = await store.list('note', { limit: 2, offset: 0, where: { company_id: 'company_101' } });
      expect([listing?.total, await textOf(listing?.items ?? '')]).toEqual([10, expect.stringContaining('text 100')]);
      expect((await store.list('company', { limit: 1, offset: 0 }))?.total).toBe(rows);
      expect(await store.only('options')).toContain('"options_1"');
      await store.close();

      // The columns keep their order and defaults, and what no field shows its data.
      const kept = (await orderOf(database, 'company')).filter((name) => name !== '_organization');
      expect(kept).toEqual(order);
      const [sizes] = await database.query('select * from sizes');
      expect(Number(sizes?.['sum'])).toBe(rows * (100 + (rows - 1) / 2));
      expect(await database.query('select name from gone')).toEqual([{ name: 'kept' }]);
      await database.execute(
        `insert into company (_organization, id, created_at, updated_at) values (2, 'company_100', '${time}', '${time}')`,
      );
      const [own] = await database.query('select size, fax from company where _organization = 2');
      expect([Number(own?.['size']), own?.['fax']]).toEqual([3, 'none']);
      const again = await migrate(database, newer, '--plan');
      expect(again.stdout).not.toContain('Steps of the migration');
    });

    test('is migrated together with a rename of a table and a column, and what was orphaned can come back', async () => {
      await using database = await engine.create();
      await makeOlder(engine, database);
      const renaming = [company({ title: renamed(text(), 'name') }, 'firm', ['company']), ...newer.slice(1)];
      expect((await migrate(database, renaming)).stderr).toBe('');
      expect((await migrate(database, [...renaming, ...older.slice(4)])).stderr).toBe('');
      const store = await database.open([...renaming, ...older.slice(4)]);
      const firms = await store.list('firm', { limit: 1, offset: 0 });
      expect([firms?.total, await textOf(firms?.items ?? '')]).toEqual([rows, expect.stringContaining(`"It's 129"`)]);
      expect((await store.list('gone', { limit: 1, offset: 0 }))?.total).toBe(1);
      await store.close();
      await expectExactTotals(database, [...renaming, ...older.slice(4)]);
    });
  });
}

test('SQLite: a backup by the version without organizations is restored, and its counters are not taken for wrong', async () => {
  using folder = new Folder();
  const [sqlite] = engines as [Engine];
  await using former = await sqlite.create();
  await makeOlder(sqlite, former);
  const file = folder.file('records.db');
  const run = (...args: string[]) =>
    runInProcess({ ...service, name: serviceName }, { DATABASE_URL: `sqlite:${file}` }, ...args);
  const restored = await run('restore', former.url.slice('sqlite:'.length));
  expect([restored.code, restored.stderr]).toEqual([0, '']);
  const backedUp = await run('backup', folder.file('copy.db'));
  expect([backedUp.code, backedUp.stderr]).toEqual([0, '']);
  using copy = new DatabaseSync(folder.file('copy.db'));
  expect(copy.prepare('select count(*) as rows from company').get()).toEqual({ rows });
});
