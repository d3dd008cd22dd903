import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { CliError } from '../../errors.ts';
import { connect } from './connection.ts';
import { busy, primaryCode, remedyFor } from './failure.ts';
import { claim, isClaimed, valueOf } from './identity.ts';

/** Turning a new file into a WAL database does not wait for others that do the same: SQLite says at once that it is busy. */
export const openTimeout = 2_000;

/** As mkdir with `recursive`, which never ends where the system says that a folder it can see is not there (/proc). */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another first start may have created it by now.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Opens a SQLite file of ours, created if there is none.
 *
 * @throws CliError when the file cannot be opened or is not ours.
 */
export async function openDatabase(file: string, service: string): Promise<DatabaseSync> {
  for (const deadline = Date.now() + openTimeout; ; await pause(20)) {
    try {
      makeFolder(dirname(file));
      return connectChecked(file, service);
    } catch (error) {
      if (error instanceof CliError) throw error;
      if (primaryCode(error) === busy && Date.now() < deadline) continue;
      const message = error instanceof Error ? error.message : String(error);
      throw new CliError(`The database ${file} cannot be opened: ${message}. ${remedyFor(error)}`);
    }
  }
}

function connectChecked(file: string, service: string): DatabaseSync {
  const database = connect(file, 'rwc');
  try {
    // Checked before anything is changed, for the file may belong to another program.
    const isNew = !isClaimed(database, file, service);
    database.exec('pragma journal_mode = wal');
    if (valueOf(database, 'pragma journal_mode') !== 'wal' || valueOf(database, 'pragma synchronous') !== 2) {
      throw new CliError(`The database ${file} cannot be kept safe: its disk does not support SQLite's WAL journal.`);
    }
    if (isNew) claim(database, service);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
