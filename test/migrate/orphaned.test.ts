import { expect, test } from 'vitest';

import { countRows, migrateSchema, planMigration } from '../../runtime/migrations/driver.ts';
import type { Database } from '../../runtime/migrations/types.ts';
import { withPostgres } from '../../runtime/migrations/postgres.ts';
import { withSqlite } from '../../runtime/migrations/sqlite.ts';
import { optional, text } from '../../runtime/kernel/model/fields.ts';
import { type MainStore, openPostgres, openSqlite } from '../support/main-store.ts';
import { Folder } from '../server/command.ts';
import { createPostgres, describePostgres } from '../support/postgres.ts';
import { serviceName } from '../support/databases.ts';
import { sqliteSchema } from './databases.ts';
import { company, externalNote } from './tables.ts';
import { features } from '../../runtime/features.ts';

const before = [company({ name: text(), fax: optional(text()) })];
const after = [company({ name: text() }, 'firm', ['company'])];

async function fill(store: MainStore): Promise<void> {
  const values = ['company_1', 'Acme', '12', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'];
  await store.write({ op: 'insert', table: 'company', values });
  await store.close();
}

/** How many rows of what would be orphaned have data, before anything is done. */
async function orphanedRows(database: Database): Promise<unknown> {
  const { orphaned } = await planMigration(features.list, database, after);
  return Promise.all(orphaned.map(async (one) => [one.table, one.column, await countRows(database, one)]));
}

test('SQLite: what a table orphans is counted before the rename of the table', async () => {
  using folder = new Folder();
  const file = folder.file('records.db');
  await fill(await openSqlite(file, before, serviceName));
  expect(await withSqlite(file, serviceName, 'read', orphanedRows)).toEqual([['firm', 'fax', 1]]);
});

test('SQLite: the column of a former parent can be dropped together with its index', async () => {
  await using schema = sqliteSchema();
  await migrateSchema(features.list, schema.database, [externalNote()], { incompatible: true });
  const requested = { drop: ['note.company_id'], convert: [] };
  await migrateSchema(features.list, schema.database, [externalNote('firm_id')], { incompatible: true, requested });
  const { actual } = await schema.database.readSchema();
  expect([...(actual.tables.get('note')?.keys() ?? [])]).toEqual(['_organization', 'id', 'idx', '_version', 'firm_id']);
});

test('SQLite: an orphan is dropped by name, and not converted', async () => {
  await using schema = sqliteSchema();
  await migrateSchema(features.list, schema.database, [company({ fax: optional(text()) })], { incompatible: true });
  const convert = (name: string): Promise<unknown> => {
    const options = { incompatible: true, requested: { drop: [], convert: [name] } };
    return migrateSchema(features.list, schema.database, [company({})], options);
  };
  for (const name of ['company.fax', 'company']) {
    await expect(convert(name)).rejects.toThrow(`--convert ${name}: the spec has no such column (TABLE.COLUMN)`);
  }
  const { actual } = await schema.database.readSchema();
  expect([...(actual.tables.get('company')?.keys() ?? [])]).toContain('fax');
});

describePostgres('PostgreSQL', () => {
  test('what a table orphans is counted before the rename of the table', async () => {
    await using database = await createPostgres();
    await fill(await openPostgres(database.url, before, true));
    expect(await withPostgres(database.url, serviceName, orphanedRows)).toEqual([['firm', 'fax', 1]]);
  });
});
