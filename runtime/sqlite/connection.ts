import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { addNumberFunction } from './number.ts';

/** Milliseconds that a connection waits for another one's lock. */
export const lockTimeout = 2_000;

/**
 * Pages of the write-ahead log after which a commit runs a checkpoint. If several processes write, most commits are the
 * worker thread's: its checkpoints reach the end of the log more often than those that the write queue requests.
 */
const pagesPerCheckpoint = 4_000;

/** The page cache of a connection. That of the main thread holds the inner pages of the indexes of large tables. */
const cacheKibibytes = 2_048;
export const readerCacheKibibytes = 8_192;

/**
 * Opens a database file.
 *
 * @param mode `rwc` creates a missing file
 * @param timeout milliseconds to wait for another connection's lock
 */
export function openFile(file: string, mode: 'rwc' | 'rw', timeout = lockTimeout): DatabaseSync {
  const url = pathToFileURL(resolve(file));
  url.search = `?mode=${mode}`;
  const database = new DatabaseSync(url, { timeout });
  addNumberFunction(database);
  return database;
}

/**
 * Opens a connection of a server. With synchronous=FULL a commit is on the disk in WAL mode, too.
 *
 * @param prepare the connection is closed if it throws
 */
export function connect(file: string, mode: 'rwc' | 'rw', prepare?: (database: DatabaseSync) => void): DatabaseSync {
  const database = openFile(file, mode);
  try {
    database.exec(
      `pragma synchronous = full; pragma wal_autocheckpoint = ${pagesPerCheckpoint}; pragma cache_size = -${cacheKibibytes}`,
    );
    prepare?.(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
