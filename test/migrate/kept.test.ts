import { expect, test } from 'vitest';

import { optional, text } from '../../runtime/schema/fields.ts';
import { openPostgres } from '../../runtime/store/postgres.ts';
import { readConnectionOptions } from '../../runtime/store/postgres/connection-options.ts';
import { PostgresMigration } from '../../runtime/migrate/postgres-migration.ts';
import type { Migration } from '../../runtime/migrate/migration.ts';
import { noDestructiveChanges } from '../../runtime/migrate/plan.ts';
import { openDatabase, openSqlite } from '../../runtime/store/sqlite.ts';
import { SqliteMigration } from '../../runtime/migrate/sqlite-migration.ts';
import type { Store } from '../../runtime/store/store.ts';
import { Folder } from '../server/command.ts';
import { createPostgres, describePostgres } from '../support/postgres.ts';
import { company } from './tables.ts';

const before = [company({ name: text(), fax: optional(text()) })];
const after = [company({ name: text() }, 'firm', ['company'])];

async function fill(store: Store): Promise<void> {
  const values = ['company_1', 'Acme', '12', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'];
  await store.write({ op: 'insert', table: 'company', values });
  await store.close();
}

/** In how many rows what would stay has data, before anything is done. */
async function keptRows(migration: Migration): Promise<unknown> {
  try {
    const { kept } = (await migration.plan(noDestructiveChanges)).plan;
    return await Promise.all(kept.map(async (one) => [one.table, one.column, await migration.rowsOf(one)]));
  } finally {
    await migration.close();
  }
}

test('SQLite: what a table keeps is counted before the rename of the table', async () => {
  using folder = new Folder();
  const file = folder.file('records.db');
  await fill(openSqlite(file, before));
  expect(await keptRows(new SqliteMigration(file, after, (name) => openDatabase(name)))).toEqual([['firm', 'fax', 1]]);
});

describePostgres('PostgreSQL', () => {
  test('what a table keeps is counted before the rename of the table', async () => {
    await using database = await createPostgres();
    await fill(await openPostgres(database.url, before, true));
    expect(await keptRows(new PostgresMigration(readConnectionOptions(database.url), after))).toEqual([
      ['firm', 'fax', 1],
    ]);
  });
});
