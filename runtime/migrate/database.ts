import type { Config } from '../config.ts';
import type { Database } from './driver.ts';
import { withSqlite } from './sqlite.ts';

/**
 * Works with the database of the settings; to read, nothing is created by looking.
 *
 * @throws CliError where it cannot be used.
 */
export async function withDatabase<T>(
  { database }: Config,
  mode: 'read' | 'write',
  work: (database: Database) => Promise<T>,
): Promise<T> {
  if (database.kind === 'sqlite') return withSqlite(database.file, mode, work);
  const { withPostgres } = await import('./postgres.ts');
  return withPostgres(database.url, work);
}
