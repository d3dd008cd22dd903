import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { printNumber } from '../../kernel/model/numbers.ts';
import { lockTimeout, maxLogPages, pageCacheKibibytes } from './limits.ts';

/**
 * Opens a database file.
 *
 * @param mode `rwc` creates a missing file
 */
export function openFile(file: string, mode: 'rwc' | 'rw'): DatabaseSync {
  const url = pathToFileURL(resolve(file));
  url.search = `?mode=${mode}`;
  const database = new DatabaseSync(url, { timeout: lockTimeout });
  database.function('_number', { deterministic: true }, (value) => printNumber(value as number));
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
    database.exec(`pragma synchronous = full; pragma cache_size = -${pageCacheKibibytes}`);
    database.exec(`pragma wal_autocheckpoint = ${maxLogPages / 2}`);
    prepare?.(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
