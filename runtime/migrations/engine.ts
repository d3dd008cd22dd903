import type { Database } from './types.ts';

/** The database that holds the records. The URL may hold a password, and is never shown. */
export type DatabaseAddress =
  { readonly kind: 'sqlite'; readonly file: string } | { readonly kind: 'postgres'; readonly url: string };

/**
 * Runs `work` on a database, which servers may be using, with a connection of its own.
 *
 * @param service the name of the service, which an SQLite file is marked with
 * @param mode that of an SQLite file: only `create` creates a missing one
 * @throws CliError if the database cannot be used
 */
export async function withEngine<T>(
  address: DatabaseAddress,
  service: string,
  mode: 'read' | 'write' | 'create',
  work: (database: Database) => Promise<T>,
): Promise<T> {
  // The other engine is not loaded.
  if (address.kind === 'postgres') return (await import('./postgres.ts')).withPostgres(address.url, service, work);
  return (await import('./sqlite.ts')).withSqlite(address.file, service, mode, work);
}
