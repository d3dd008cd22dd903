import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** Milliseconds that a connection waits for another one's lock. */
export const lockTimeout = 2_000;

/** What a connection keeps in memory, and one that answers requests: the inner pages of the indexes of large tables. */
const cacheKibibytes = 2_048;
export const readerCacheKibibytes = 8_192;

/** Opens a file, made if there is none, or not; `timeout` is how long it waits for another one's lock. */
export function openFile(file: string, mode: 'rwc' | 'rw', timeout = lockTimeout): DatabaseSync {
  const url = pathToFileURL(resolve(file));
  url.search = `?mode=${mode}`;
  return new DatabaseSync(url, { timeout });
}

/** Opens a connection of a server. What it commits is on the disk, in WAL mode as well: synchronous=FULL. */
export function connect(file: string, mode: 'rwc' | 'rw'): DatabaseSync {
  const database = openFile(file, mode);
  try {
    database.exec(`pragma synchronous = full; pragma wal_autocheckpoint = 0; pragma cache_size = -${cacheKibibytes}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
