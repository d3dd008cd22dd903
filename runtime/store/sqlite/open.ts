import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { CliError } from '../../errors.ts';
import { connect } from './connection.ts';
import { busy, primaryCode, remedyFor } from './failure.ts';
import { claim, isClaimed, valueOf } from './identity.ts';

/** Milliseconds of attempts: SQLite does not wait for another connection that sets the journal mode at the same time. */
export const openTimeout = 2_000;

/** Like `mkdirSync` with `recursive`, which does not return for a path in /proc. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have created it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Opens the database file of a service; a missing file is created.
 *
 * @throws CliError if the file cannot be opened or does not belong to the service
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
    // Before any change, as the file may belong to another program.
    const isNew = !isClaimed(database, file, service);
    database.exec('pragma journal_mode = wal');
    if (valueOf(database, 'pragma journal_mode') !== 'wal' || valueOf(database, 'pragma synchronous') !== 2) {
      throw new CliError(
        `The database ${file} cannot be stored safely: its disk does not support SQLite's write-ahead log.`,
      );
    }
    if (isNew) claim(database, service);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
