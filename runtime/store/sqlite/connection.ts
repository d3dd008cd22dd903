import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';

/** Milliseconds that a connection waits for another one's lock. */
export const patience = 2_000;

/** What a connection keeps in memory, and one that answers requests: the inner pages of the indexes of large tables. */
const cacheKibibytes = 2_048;
export const readerCacheKibibytes = 8_192;

/**
 * Opens a connection to a file, made if there is none, or not. What it commits is on the disk, in WAL mode as well:
 * synchronous=FULL.
 */
export function connect(file: string, mode: 'rwc' | 'rw'): DatabaseSync {
  const url = pathToFileURL(resolve(file));
  url.search = `?mode=${mode}`;
  const database = new DatabaseSync(url, { timeout: patience });
  try {
    database.exec(
      `pragma synchronous = full; pragma wal_autocheckpoint = 4000; pragma cache_size = -${cacheKibibytes}`,
    );
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
