import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { CliError } from '../model/errors.ts';
import { connect } from './connection.ts';
import { busy, cannotUse, primaryCode } from './failure.ts';
import { claim, isClaimed, valueOf } from './identity.ts';

/** Milliseconds of attempts: SQLite does not wait for another connection that sets the journal mode at the same time. */
export const openTimeout = 2_000;

/**
 * Creates the folder of a file and those it is in, durably: a power loss does not take them away again.
 *
 * @throws CliError when that is not possible.
 */
export function makeFolderOf(file: string, folder = dirname(file)): void {
  // Not by mkdir with `recursive`, which never ends where the system says that a folder it can see is not there (/proc).
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolderOf(file, parent);
  try {
    makeFolder(folder);
    syncFolder(parent);
  } catch (error) {
    const { message } = error as Error;
    throw new CliError(`The folder of ${file} cannot be created: ${message}. Check that this user can write there.`);
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another first start may have created it by now.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Waits until the names in a folder are on the disk: the fsync of a file does not include its name. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } catch (error) {
    // Some file systems cannot do that for a folder.
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Opens the database file of a service.
 *
 * @param mode `rwc` creates a missing file
 * @throws CliError if the file cannot be opened or does not belong to the service
 */
export async function openDatabase(file: string, service: string, mode: 'rwc' | 'rw' = 'rwc'): Promise<DatabaseSync> {
  if (mode === 'rwc') makeFolderOf(file);
  for (const deadline = Date.now() + openTimeout; ; await pause(20)) {
    try {
      return connect(file, mode, (database) => prepare(database, file, service));
    } catch (error) {
      if (primaryCode(error) !== busy || Date.now() >= deadline) throw cannotUse(file, error);
    }
  }
}

function prepare(database: DatabaseSync, file: string, service: string): void {
  // Before any change, as the file may belong to another program.
  const isNew = !isClaimed(database, file, service);
  database.exec('pragma journal_mode = wal');
  if (valueOf(database, 'pragma journal_mode') !== 'wal' || valueOf(database, 'pragma synchronous') !== 2) {
    throw new CliError(
      `The database ${file} cannot be stored safely: its disk does not support SQLite's write-ahead log.`,
    );
  }
  if (isNew) claim(database, service);
}
