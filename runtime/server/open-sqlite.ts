import { setTimeout as pause } from 'node:timers/promises';
import { CliError } from '../model/errors.ts';
import { logSteps, migrateSchema } from '../migrations/driver.ts';
import type { Step } from '../migrations/plan.ts';
import { NotAlone, SqliteDatabase } from '../migrations/sqlite.ts';
import { log } from '../observability/log.ts';
import type { Table } from '../model/table.ts';
import { cannotUse } from '../sqlite/failure.ts';
import { identityOf } from '../sqlite/file-guard.ts';
import { openDatabase, openTimeout } from '../sqlite/open.ts';
import { SqliteStore } from '../sqlite/store.ts';
import type { Store } from '../records/store.ts';

/**
 * Opens the SQLite file of a service, creating a missing one, and migrates its schema to the tables in one transaction.
 *
 * @param identity that of the file, where it has to be the one that other processes have open
 * @param maxDuration milliseconds after which the store gives up a request
 * @throws CliError if the file cannot be opened, is another one or belongs to another program, or if the migration would
 *   lose data
 */
export async function openSqlite(
  file: string,
  tables: readonly Table[],
  service: string,
  identity?: string,
  maxDuration?: number,
): Promise<Store> {
  if (identity !== undefined && identityOf(file) !== identity) {
    throw new CliError(
      `The database ${file} is not the one that the server was started with. Put it back, or restart.`,
    );
  }
  // Processes that start at the same time may all need the file exclusively: random pauses let one of them have it.
  for (const deadline = Date.now() + openTimeout; ; await pause(20 + Math.random() * 200)) {
    const database = await openDatabase(file, service, identity === undefined ? 'rwc' : 'rw');
    try {
      const steps: Step[] = [];
      const onStep = (step: Step): void => void steps.push(step);
      await migrateSchema(new SqliteDatabase(database), tables, {
        incompatible: true,
        onStep,
        onNote: (note) => log.warn(note),
      });
      logSteps(steps);
      return new SqliteStore(database, file, tables, maxDuration);
    } catch (error) {
      database.close();
      if (error instanceof NotAlone && Date.now() < deadline) continue;
      throw cannotUse(file, error);
    }
  }
}
