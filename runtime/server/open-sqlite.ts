import { CliError } from '../model/errors.ts';
import { migrateAtStart } from '../migrations/driver.ts';
import { NotAlone, SqliteDatabase } from '../migrations/sqlite.ts';
import type { Table } from '../model/table.ts';
import { retry } from '../model/wait.ts';
import { cannotUse } from '../sqlite/failure.ts';
import { identityOf } from '../sqlite/file-guard.ts';
import { lockTimeout } from '../sqlite/limits.ts';
import { openDatabase } from '../sqlite/open.ts';
import { SqliteStore } from '../sqlite/store.ts';
import type { Store } from '../records/store.ts';

/**
 * Opens the SQLite file of a service, creating a missing one, and migrates its schema to the tables in one transaction.
 *
 * @param identity that of the file, if it has to be the one that other processes have open
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
  const open = async (): Promise<Store> => {
    const database = await openDatabase(file, service, identity === undefined ? 'rwc' : 'rw');
    try {
      await migrateAtStart(new SqliteDatabase(database), tables, true);
      return new SqliteStore(database, file, tables, maxDuration);
    } catch (error) {
      database.close();
      throw cannotUse(file, error);
    }
  };
  // Processes that start at the same time may all need the file exclusively.
  return retry(lockTimeout, open, (error) => error instanceof NotAlone);
}
