import { readSettings } from '../server/settings.ts';
import { CliError } from '../model/errors.ts';
import type { Database } from '../migrations/types.ts';
import { planMigration } from '../migrations/driver.ts';
import { withEngine } from '../migrations/engine.ts';
import { describeMissing } from '../migrations/plan.ts';
import type { Service } from '../api/service.ts';

/** Runs a command's `work` on the database of DATABASE_URL. See `withEngine`. */
export const withDatabase = <T>(
  { name }: Service,
  mode: 'read' | 'write' | 'create',
  work: (database: Database) => Promise<T>,
): Promise<T> => withEngine(readSettings(process.env).DATABASE_URL, name, mode, work);

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
