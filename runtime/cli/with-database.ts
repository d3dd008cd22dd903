import { readSettings } from '../server/settings.ts';
import { CliError } from '../model/errors.ts';
import { type Database, planMigration } from '../migrations/driver.ts';
import { describeMissing } from '../migrations/plan.ts';
import type { Service } from '../api/service.ts';

/**
 * Runs a command's `work` on the database of DATABASE_URL, which servers may be using.
 *
 * @param mode that of an SQLite file: only `create` creates a missing one
 * @throws CliError if the database cannot be used
 */
export async function withDatabase<T>(
  { name }: Service,
  mode: 'read' | 'write' | 'create',
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = readSettings(process.env).DATABASE_URL;
  // The other engine is not loaded.
  if (database.kind === 'postgres') {
    return (await import('../migrations/postgres.ts')).withPostgres(database.url, name, work);
  }
  return (await import('../migrations/sqlite.ts')).withSqlite(database.file, name, mode, work);
}

/** Like `withDatabase`, on a database that has the tables of the service. @throws CliError if it does not */
export const withMigratedDatabase = <T>(
  service: Service,
  mode: 'read' | 'write',
  work: (database: Database) => Promise<T>,
): Promise<T> =>
  withDatabase(service, mode, async (database) => {
    const { steps, blockers } = await planMigration(database, service.tables);
    const missing = describeMissing(steps, blockers);
    if (missing === '') return work(database);
    throw new CliError(missing);
  });
