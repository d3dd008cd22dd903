import type { Config } from '../config.ts';
import type { Service } from '../service.ts';
import { readConnectionOptions } from '../store/postgres/connection-options.ts';
import type { Store } from '../store/store.ts';

/** Checks the URL of a PostgreSQL database. @throws CliError that says what is wrong and shows no password. */
export const checkUrl: (url: string) => void = readConnectionOptions;

/**
 * Opens the database of the settings, and migrates its schema.
 *
 * @throws CliError when it cannot be opened or used.
 */
export async function openStore({ database, migrate }: Config, { name, tables }: Service): Promise<Store> {
  // The other engine is not loaded.
  if (database.kind === 'sqlite') return (await import('./open-sqlite.ts')).openSqlite(database.file, tables, name);
  return (await import('./open-postgres.ts')).openPostgres(database.url, tables, migrate, name);
}
