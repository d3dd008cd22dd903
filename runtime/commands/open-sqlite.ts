import { setTimeout as pause } from 'node:timers/promises';
import { logSteps, migrateSchema } from '../migrate/driver.ts';
import type { Step } from '../migrate/plan.ts';
import { NotAlone, SqliteDatabase } from '../migrate/sqlite.ts';
import type { Table } from '../schema/table.ts';
import { cannotUse } from '../store/sqlite/failure.ts';
import { openDatabase, openTimeout } from '../store/sqlite/open.ts';
import { SqliteStore } from '../store/sqlite/store.ts';
import type { Store } from '../store/store.ts';

/**
 * Opens the SQLite file of a service, creating a missing one, and migrates its schema to the tables in one transaction.
 *
 * @throws CliError if the file cannot be opened or belongs to another program, or if the migration would lose data
 */
export async function openSqlite(file: string, tables: readonly Table[], service: string): Promise<Store> {
  // Processes that start at the same time may all need the file exclusively: random pauses let one of them have it.
  for (const deadline = Date.now() + openTimeout; ; await pause(20 + Math.random() * 200)) {
    const database = await openDatabase(file, service);
    try {
      const steps: Step[] = [];
      const onStep = (step: Step): void => void steps.push(step);
      await migrateSchema(new SqliteDatabase(database), tables, { incompatible: true, onStep });
      logSteps(steps);
      return new SqliteStore(database, file, tables);
    } catch (error) {
      database.close();
      if (error instanceof NotAlone && Date.now() < deadline) continue;
      throw cannotUse(file, error);
    }
  }
}
