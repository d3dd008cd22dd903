import type { Config } from '../config.ts';
import type { Table } from '../schema/table.ts';
import type { Migration } from './migration.ts';
import { openDatabase } from './sqlite.ts';
import { SqliteMigration } from './sqlite/migration.ts';

/** What `npm run migrate` works with, for the database of the settings. */
export function openMigration({ databaseFile }: Config, tables: readonly Table[]): Migration {
  return new SqliteMigration(databaseFile, tables, (file) => openDatabase(file));
}
