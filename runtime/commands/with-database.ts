import { CliError } from '../kernel/model/errors.ts';
import type { CommandContext } from '../kernel/feature.ts';
import type { Database } from '../migrations/types.ts';
import { planMigration } from '../migrations/driver.ts';
import { withEngine } from '../migrations/engine.ts';
import { describeMissing } from '../migrations/plan.ts';
import { databaseSettings } from './database-setting.ts';

/** Runs a command's `work` on the database of DATABASE_URL. See `withEngine`. */
export const withDatabase = <T>(
  { service, settings }: CommandContext,
  mode: 'read' | 'write' | 'create',
  work: (database: Database) => Promise<T>,
): Promise<T> => withEngine(settings(databaseSettings).DATABASE_URL, service.name, mode, work);

/** Like `withDatabase`, on a database that has the tables of the service. @throws CliError if it does not */
export const withMigratedDatabase = <T>(
  context: CommandContext,
  mode: 'read' | 'write',
  work: (database: Database) => Promise<T>,
): Promise<T> =>
  withDatabase(context, mode, async (database) => {
    const { steps, blockers } = await planMigration(context.features.list, database, context.service.tables);
    const missing = describeMissing(steps, blockers);
    if (missing === '') return work(database);
    throw new CliError(missing);
  });
