import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { CliError } from '../errors.ts';
import type { Table } from '../schema/table.ts';
import { connect } from './sqlite/connection.ts';
import { busy, primaryCode, remedyFor } from './sqlite/failure.ts';
import { claim, formatOf, valueOf } from './sqlite/identity.ts';
import { migrateSchema, NotAlone } from '../migrate/sqlite-schema.ts';
import { SqliteStore } from './sqlite/store.ts';
import type { Store } from './store.ts';

/** As mkdir with `recursive`, which never ends where the system says that a folder it can see is not there (/proc). */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another first start may have made it by now.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

const wait = (milliseconds: number): unknown =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

// Turning a new file into a WAL database does not wait for others that do the same: SQLite says at once that it is busy.
const openPatience = 2_000;

/**
 * Opens a SQLite file of ours, made if there is none.
 *
 * @throws CliError when the file cannot be opened or is not ours.
 */
export function openDatabase(file: string, deadline = Date.now() + openPatience): DatabaseSync {
  try {
    makeFolder(dirname(file));
    const database = connect(file, 'rwc');
    try {
      // Looked at before anything is changed, for the file may be somebody else's.
      const format = formatOf(database, file);
      database.exec('pragma journal_mode = wal');
      if (valueOf(database, 'pragma journal_mode') !== 'wal' || valueOf(database, 'pragma synchronous') !== 2) {
        throw new CliError(`The database ${file} cannot be kept safe: its disk does not support SQLite's WAL journal.`);
      }
      if (format === undefined) claim(database);
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (primaryCode(error) === busy && Date.now() < deadline) {
      wait(20);
      return openDatabase(file, deadline);
    }
    const message = error instanceof Error ? error.message : String(error);
    throw new CliError(`The database ${file} cannot be opened: ${message}. ${remedyFor(error)}`);
  }
}

/**
 * Opens a SQLite file, made if there is none, and brings its schema to the wanted tables: all of it or nothing.
 *
 * @throws CliError when the file cannot be opened, is not ours, or would lose data.
 */
export function openSqlite(file: string, tables: readonly Table[], deadline = Date.now() + openPatience): Store {
  const database = openDatabase(file);
  try {
    migrateSchema(database, tables);
  } catch (error) {
    database.close();
    // Others that start at this moment may want the same, and are in each other's way: after a while one is alone.
    if (error instanceof NotAlone && Date.now() < deadline) {
      wait(20 + Math.random() * 200);
      return openSqlite(file, tables, deadline);
    }
    // Anything but a failure of SQLite is a fault of ours, to be seen whole.
    if (primaryCode(error) === undefined) throw error;
    throw new CliError(`The database ${file} cannot be used: ${(error as Error).message}. ${remedyFor(error)}`);
  }
  return new SqliteStore(database, file, tables);
}
