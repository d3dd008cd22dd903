import type { Config } from '../config.ts';
import type { Table } from '../schema/table.ts';
import type { Migration } from './migration.ts';
import { readAddress } from './postgres/address.ts';
import { openDatabase } from './sqlite.ts';
import { SqliteMigration } from './sqlite/migration.ts';

/** What `npm run migrate` works with, for the database of the settings. */
export async function openMigration({ database }: Config, tables: readonly Table[]): Promise<Migration> {
  if (database.kind === 'sqlite') return new SqliteMigration(database.file, tables, (file) => openDatabase(file));
  const { PostgresMigration } = await import('./postgres/migration.ts');
  return new PostgresMigration(readAddress(database.url), tables);
}
