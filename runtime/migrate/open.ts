import type { Config } from '../config.ts';
import type { Service } from '../service.ts';
import type { Migration } from './migration.ts';
import { readConnectionOptions } from '../store/postgres/connection-options.ts';
import { openDatabase } from '../store/sqlite.ts';
import { SqliteMigration } from './sqlite-migration.ts';

/** What `npm run migrate` works with, for the database of the settings. */
export async function openMigration({ database }: Config, { name, tables }: Service): Promise<Migration> {
  if (database.kind === 'sqlite') return new SqliteMigration(database.file, tables, name, openDatabase);
  const { PostgresMigration } = await import('./postgres-migration.ts');
  return new PostgresMigration(readConnectionOptions(database.url, name), tables);
}
