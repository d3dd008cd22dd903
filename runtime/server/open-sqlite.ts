import type { Features } from '../kernel/feature.ts';
import { CliError } from '../kernel/model/errors.ts';
import { migrateAtStart } from '../migrations/driver.ts';
import { NotAlone, SqliteDatabase } from '../migrations/sqlite.ts';
import type { Table } from '../kernel/model/table.ts';
import { retry } from '../kernel/model/wait.ts';
import { cannotUse } from '../engines/sqlite/failure.ts';
import { identityOf } from '../engines/sqlite/file-guard.ts';
import { lockTimeout } from '../engines/sqlite/limits.ts';
import { openDatabase } from '../engines/sqlite/open.ts';
import { SqliteStore } from '../engines/sqlite/store.ts';
import type { Store } from '../kernel/records/store.ts';

/**
 * Opens the SQLite file of a service, creating a missing one, and migrates its schema to the tables in one transaction.
 *
 * @param identity that of the file, if it has to be the one that other processes have open
 * @param maxDuration milliseconds after which the store gives up a request
 * @throws CliError if the file cannot be opened, is another one or belongs to another program, or if the migration would
 *   lose data
 */
export async function openSqlite(
  features: Features,
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
  const open = async (): Promise<Store> => {
    const database = await openDatabase(file, service, identity === undefined ? 'rwc' : 'rw');
    try {
      await migrateAtStart(features.list, new SqliteDatabase(database), tables, true);
      return new SqliteStore(features, database, file, tables, maxDuration);
    } catch (error) {
      database.close();
      throw cannotUse(file, error);
    }
  };
  // Processes that start at the same time may all need the file exclusively.
  return retry(lockTimeout, open, (error) => error instanceof NotAlone);
}
