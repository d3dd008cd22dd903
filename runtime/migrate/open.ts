import type { Config } from '../config.ts';
import type { Table } from '../schema/table.ts';
import type { Migration } from './migration.ts';
import { readConnectionOptions } from '../store/postgres/connection-options.ts';
import { openDatabase } from '../store/sqlite.ts';
import { SqliteMigration } from './sqlite-migration.ts';

/** What `npm run migrate` works with, for the database of the settings. */
export async function openMigration({ database }: Config, tables: readonly Table[]): Promise<Migration> {
  if (database.kind === 'sqlite') return new SqliteMigration(database.file, tables, (file) => openDatabase(file));
  const { PostgresMigration } = await import('./postgres-migration.ts');
  return new PostgresMigration(readConnectionOptions(database.url), tables);
}
