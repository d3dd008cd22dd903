import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type DatabaseChanges, databaseChanges, tablesOf } from '../../generator/changes/database.ts';
import { readService } from '../../generator/check/service.ts';
import type { Service } from '../../generator/model/model.ts';
import { migrateSchema } from '../../runtime/migrations/driver.ts';
import type { Step } from '../../runtime/migrations/types.ts';
import { withPostgres } from '../../runtime/migrations/postgres.ts';
import { isAlwaysSet, type Table } from '../../runtime/kernel/model/table.ts';
import { openSqlite } from '../support/main-store.ts';
import { createPostgres, describePostgres } from '../support/postgres.ts';
import { type Edit, edits, specsOf, type Texts } from './edits.ts';
import { features } from '../../runtime/features.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'changes-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (texts: Texts): Service => readService(specsOf(texts)).service as Service;

const sqliteChanges = (...services: Parameters<typeof databaseChanges>): DatabaseChanges =>
  databaseChanges(...services).sqlite;

/** Opens a database and closes it; the statements that changed its schema, or why it would not open. */
async function open(file: string, service: Service): Promise<{ ran: string[]; refused?: string }> {
  const exec = vi.spyOn(DatabaseSync.prototype, 'exec');
  try {
    await (await openSqlite(file, tablesOf(service), service.name)).close();
    return {
      ran: exec.mock.calls
        .map(([sql]) => sql)
        .filter((sql) => !/^(pragma (?!writable_schema)|begin|commit|rollback)| where not exists /.test(sql)),
    };
  } catch (error) {
    return { ran: [], refused: (error as Error).message };
  } finally {
    exec.mockRestore();
  }
}

/** Migrates a database as a start does, or as `npm run migrate` does with `incompatible`. */
const migratePostgres = (
  url: string,
  service: Service,
  incompatible: boolean,
): Promise<{ ran: string[]; isLeft: boolean; refused?: string }> =>
  withPostgres(url, service.name, async (database) => {
    const ran: string[] = [];
    const onStep = ({ statements }: Step): void => void ran.push(...statements);
    try {
      const left = await migrateSchema(features.list, database, tablesOf(service), { incompatible, onStep });
      return { ran, isLeft: left.length > 0 };
    } catch (error) {
      return { ran, isLeft: true, refused: (error as Error).message };
    }
  });

/** Tables and columns of a database that no resource or field shows, as `orphaned` lists them. */
function leftIn(file: string, tables: readonly Table[]): string[] {
  using database = new DatabaseSync(file);
  const names = (sql: string): string[] => (database.prepare(sql).all() as { name: string }[]).map(({ name }) => name);
  return names(`select name from sqlite_schema where type = 'table' and name not like '\\_%' escape '\\'`).flatMap(
    (table) => {
      const columns = tables.find(({ name }) => name === table)?.columns;
      if (!columns) return [`Table "${table}" keeps its rows, which no resource shows.`];
      return names(`select name from pragma_table_info('${table}')`)
        .filter((column) => !column.startsWith('_') && !columns.some(({ name }) => name === column))
        .map((column) => `Column "${column}" of table "${table}" keeps its data, which no field shows.`);
    },
  );
}

/** The edits, and what each changes in each database. */
const judged = edits.map(({ edit, before, after }: Edit, index) => {
  const [was, is] = [read(before), read(after)];
  return { edit, index, was, is, ...databaseChanges(was, is) };
});

/** The edits that say something of the database, and as many of the others as there is time for. */
const told = judged.filter(({ index, was, is, sqlite: { statements, errors, orphaned } }) => {
  // Files of another name are refused before their tables are looked at: that is a test of its own.
  if (was.name !== is.name) return false;
  return statements.length + errors.length + orphaned.length > 0 || index % 10 === 0;
});

describe.each(told)('$edit', ({ index, was, is, sqlite: { statements, errors, orphaned } }) => {
  test('the start does what the report says, and leaves the data that it names', async () => {
    const file = join(folder, `${index}.db`);
    await open(file, was);
    const { ran, refused } = await open(file, is);
    if (errors.length > 0) {
      expect(refused?.split('\n  ').slice(1)).toEqual(errors);
    } else {
      expect(refused).toBeUndefined();
      expect(ran).toEqual(statements);
      expect(leftIn(file, tablesOf(is)).toSorted()).toEqual(orphaned.toSorted());
    }
  });
});

test('the rows with a renamed value are written again', () => {
  const lead = (values: string): Service =>
    read({ 'crm/lead': `kind: record\ndoc: A lead.\nfields: { stage: { enum: [${values}] } }` });
  const changes = databaseChanges(lead('new, old'), lead('{ value: fresh, renamed_from: new }, old'));
  const rewritten = ['In each row of lead the values of stage are written by their present names.'];
  for (const one of [changes.sqlite, changes.postgres]) expect(one).toMatchObject({ rewritten, isIncompatible: false });
});

/** One edit of each class: those of a class run the same kinds of statements. */
const classes = [
  ...Map.groupBy(told, ({ postgres: { statements, migration, isIncompatible, errors } }) => {
    const kinds = [statements, migration].map((list) => list.map((text) => text.split(' "')[0]));
    return JSON.stringify([kinds, isIncompatible, errors.length > 0]);
  }).values(),
].flatMap(([edit]) => edit ?? []);

/** Statements in any order: indexes are dropped in that of the catalog, and some of words get another name before. */
const compared = (statements: readonly string[]): string[] => [
  ...new Set(
    statements
      .filter((statement) => !statement.startsWith('alter index'))
      .map((statement) => statement.replace(/(?<=[.]search[.])[0-9a-f]{12}/, 'x'))
      .toSorted(),
  ),
];

describePostgres('on PostgreSQL', () => {
  test('a start and `npm run migrate` do what the report says', async () => {
    await using database = await createPostgres();
    for (const { edit, was, is, postgres } of classes) {
      await database.query('drop schema public cascade; create schema public');
      await migratePostgres(database.url, was, false);
      const { statements, migration, isIncompatible, errors } = postgres;
      const start = await migratePostgres(database.url, is, false);
      if (errors.length > 0) {
        expect(start.refused?.split('\n  ').slice(1), edit).toEqual(errors);
        continue;
      }
      expect(start.isLeft, edit).toBe(isIncompatible);
      expect(compared(start.ran), edit).toEqual(compared(statements));
      const { ran } = await migratePostgres(database.url, is, true);
      expect(compared(ran), edit).toEqual(compared(migration));
    }
  });
});

const refusing = told.filter(({ sqlite: { errors, mustBeFilled } }) => errors.length === 0 && mustBeFilled.length > 0);

test.each(refusing)('$edit: the start is refused where rows have no value', async ({ index, was, is, sqlite }) => {
  const file = join(folder, `${index}-rows.db`);
  await open(file, was);
  using database = new DatabaseSync(file);
  for (const { name, columns } of tablesOf(was).filter(({ kind }) => kind !== 'singleton')) {
    const names = columns.map((column) => `"${column.name}"`).join(', ');
    const values = columns.map((column) => (isAlwaysSet(column) ? "'x'" : 'null')).join(', ');
    database.exec(`insert into "${name}" ("_organization", ${names}) values (1, ${values})`);
  }
  database.close();
  const { refused } = await open(file, is);
  for (const line of sqlite.mustBeFilled) {
    const [table, ...columns] = Array.from(line.matchAll(/"(.*?)"/g), ([, name]) => name);
    for (const column of columns)
      expect(refused).toContain(`The field ${column} of ${table} is required, and 1 row has`);
  }
});

test('there are edits of each sort among them', () => {
  for (const key of ['statements', 'errors', 'mustBeFilled', 'orphaned'] as const) {
    expect(told.filter(({ sqlite }) => sqlite[key].length > 0).length).toBeGreaterThan(5);
  }
});

test('files of a service that had another name are refused until they are marked', async () => {
  const file = join(folder, 'name.db');
  const { before, after } = edits.find(({ edit }) => edit === 'what the service says of itself changes') as Edit;
  const [was, is] = [read(before), read(after)];
  await open(file, was);
  expect((await open(file, is)).refused).toContain('another program');
  const [refusal, ...others] = sqliteChanges(was, is).errors;
  expect(refusal).toMatch(/^The service "sales" does not open SQLite files of "leads"/);
  expect(others).toEqual([]);
  using database = new DatabaseSync(file);
  database.exec(/pragma application_id = \d+/.exec(refusal ?? '')?.[0] ?? '');
  database.close();
  expect((await open(file, is)).refused).toBeUndefined();
  expect(sqliteChanges(undefined, is).errors).toEqual([]);
});

test('a new database gets all of its tables', async () => {
  const { after } = edits.find(({ edit }) => edit === 'the parent must be there') as Edit;
  const service = read(after);
  const { ran } = await open(join(folder, 'new.db'), service);
  expect(ran).toEqual(sqliteChanges(undefined, service).statements);
});

test('a rename is a rename and keeps the data', async () => {
  const file = join(folder, 'renamed.db');
  const was = read({ 'crm/lead': 'kind: record\ndoc: A lead.\nfields: { website, fax }' });
  const is = read({
    'crm/prospect': 'kind: record\nrenamed_from: lead\ndoc: A lead.\nfields: { homepage: { renamed_from: website } }',
  });
  await open(file, was);
  using database = new DatabaseSync(file);
  database.exec(`insert into lead values (1, 'lead_1', 'https://example.org', '1', '2026', '2026', 1)`);
  database.close();
  const { statements, errors, orphaned } = sqliteChanges(was, is);
  expect(statements).toContain('alter table "lead" rename to "prospect"');
  expect(statements).toContain('alter table "prospect" rename column "website" to "homepage"');
  expect([errors, orphaned]).toEqual([[], ['Column "fax" of table "prospect" keeps its data, which no field shows.']]);
  expect((await open(file, is)).ran).toEqual(statements);
  using renamed = new DatabaseSync(file);
  expect(renamed.prepare('select homepage, fax from prospect').all()).toEqual([
    { homepage: 'https://example.org', fax: '1' },
  ]);
});

test('a required field that is renamed needs no values that it did not have before', () => {
  const was = read({ 'crm/lead': 'kind: record\ndoc: A lead.\nfields: { website: { required: true } }' });
  const is = read({
    'crm/lead': 'kind: record\ndoc: A lead.\nfields: { homepage: { required: true, renamed_from: website } }',
  });
  const { mustBeFilled, statements } = sqliteChanges(was, is);
  expect(mustBeFilled).toEqual([]);
  expect(statements).toContain(`insert into "_required_column" values ('lead.homepage') on conflict do nothing`);
});
