import type { Config } from '../config.ts';
import type { Table } from '../schema/table.ts';
import type { Store } from './store.ts';

/**
 * Opens the database of the settings.
 *
 * @throws CliError when it cannot be opened or used.
 */
export async function openStore({ database, migrate }: Config, tables: readonly Table[]): Promise<Store> {
  // Only what is needed is loaded.
  if (database.kind === 'sqlite') return (await import('./sqlite.ts')).openSqlite(database.file, tables);
  return (await import('./postgres.ts')).openPostgres(database.url, tables, migrate);
}
