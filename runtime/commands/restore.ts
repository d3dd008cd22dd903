import { existsSync, linkSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { CliError } from '../errors.ts';
import type { Service } from '../service.ts';
import { copyDatabase, inWords, journalsOf, openExisting } from '../backup/copy.ts';
import { busy, primaryCode } from '../store/sqlite/failure.ts';
import { formatOf } from '../store/sqlite/identity.ts';
import { copyArguments } from './copy-arguments.ts';

/**
 * Puts a checked copy of a backup in the place of the database, which no server may be using. The database that was
 * there is kept under another name.
 *
 * @throws CliError when that is not possible; the database is then as it was.
 */
export async function restore(_service: Service, args: readonly string[]): Promise<void> {
  const { database, file } = copyArguments('restore', args);
  let former: string | undefined;
  requireUnused(database);
  makeFolder(dirname(database));
  const copied = await copyDatabase(file, database, () => {
    requireUnused(database);
    if (!existsSync(database)) return;
    former = `${database}.${new Date().toISOString().replaceAll(':', '-')}`;
    // A second name, until the copy takes the first: a start at any moment finds the one or the other.
    linkSync(database, former);
  });
  console.log(`${database} is what ${file} holds: ${inWords(copied)}`);
  if (former !== undefined) console.log(`The database that was there is now ${former}`);
}

/** As a first start does: a backup is restored on a new machine, too. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  try {
    mkdirSync(folder);
  } catch (error) {
    throw new CliError(`The folder ${folder} cannot be made: ${(error as Error).message}`);
  }
}

/** Merges the journal of the database into its file: left beside another file, it would spoil that one. */
function requireUnused(database: string): void {
  if (!existsSync(database)) {
    const left = journalsOf(database).filter((journal) => existsSync(journal));
    if (left.length === 0) return;
    throw new CliError(`${left.join(' and ')} is left of a database that is gone. Move it away first.`);
  }
  try {
    const connection = openExisting(database);
    try {
      formatOf(connection, database);
      // SQLite refuses it while anybody else has the database open.
      connection.exec('pragma journal_mode = delete');
    } finally {
      connection.close();
    }
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (primaryCode(error) === busy) throw new CliError(`${database} is in use. Stop its servers first.`);
    throw new CliError(
      `${database} cannot be read: ${(error as Error).message}. Stop its servers, move it away with its -wal and -shm, ` +
        'and restore again.',
    );
  }
}
