import { createHash } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { CliError } from '../../kernel/model/errors.ts';
import { retry } from '../../kernel/model/wait.ts';
import { connect } from './connection.ts';
import { cannotUse, primaryCode, resultCodes } from './failure.ts';
import { lockTimeout } from './limits.ts';

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
  const open = async (): Promise<DatabaseSync> => connect(file, mode, (database) => prepare(database, file, service));
  try {
    // SQLite does not wait for another connection that sets the journal mode at the same time.
    return await retry(lockTimeout, open, (error) => primaryCode(error) === resultCodes.busy);
  } catch (error) {
    throw cannotUse(file, error);
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
  if (isNew) database.exec(`pragma application_id = ${applicationId(service)}; pragma user_version = ${format}`);
}

/** The `application_id` of a service's files: 31 bits of a hash of its name. */
export const applicationId = (service: string): number =>
  createHash('sha256').update(service).digest().readUInt32BE() & 0x7fffffff;

/** The format of the file, stored as its `user_version`. */
const format = 1;

/** The first column of the first row of a query. */
export const valueOf = (database: DatabaseSync, sql: string): unknown =>
  Object.values(database.prepare(sql).get() ?? {})[0];

/**
 * Whether a file is marked as belonging to the service; false if it is empty.
 *
 * @param file its name, for messages
 * @throws CliError if it belongs to another program or service, or its format is unknown
 */
export function isClaimed(database: DatabaseSync, file: string, service: string): boolean {
  // One snapshot: another server may be creating the tables.
  database.exec('begin');
  const owner = valueOf(database, 'pragma application_id');
  const isEmpty = valueOf(database, 'select count(*) from sqlite_schema') === 0;
  const version = Number(valueOf(database, 'pragma user_version'));
  database.exec('commit');
  if (isEmpty) return false;
  if (owner !== applicationId(service)) {
    throw new CliError(`${file} is an SQLite database of another program: it does not belong to ${service}.`);
  }
  if (version === format) return true;
  throw new CliError(
    `The database ${file} has format ${version}, and this version reads format ${format}. Use the version that wrote it.`,
  );
}
