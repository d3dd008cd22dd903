import type { Config } from '../config.ts';
import type { Table } from '../schema/table.ts';
import type { Store } from '../store/store.ts';

/**
 * Opens the database of the settings, and migrates its schema.
 *
 * @throws CliError when it cannot be opened or used.
 */
export async function openStore({ database, migrate }: Config, tables: readonly Table[]): Promise<Store> {
  // Only what is needed is loaded.
  if (database.kind === 'sqlite') return (await import('./open-sqlite.ts')).openSqlite(database.file, tables);
  return (await import('./open-postgres.ts')).openPostgres(database.url, tables, migrate);
}
