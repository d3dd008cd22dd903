import type { Config } from '../config.ts';
import type { Table } from '../schema/table.ts';
import { readConnectionOptions } from './postgres/connection-options.ts';
import type { Store } from './store.ts';

/** Checks the URL of a PostgreSQL database. @throws CliError that says what is wrong and shows no password. */
export const checkUrl: (url: string) => void = readConnectionOptions;

/**
 * Opens the database of the settings.
 *
 * @throws CliError when it cannot be opened or used.
 */
export async function openStore({ database, migrate }: Config, tables: readonly Table[]): Promise<Store> {
  // The other engine is not loaded.
  if (database.kind === 'sqlite') return (await import('./sqlite.ts')).openSqlite(database.file, tables);
  return (await import('./postgres.ts')).openPostgres(database.url, tables, migrate);
}
