import { existsSync, linkSync } from 'node:fs';
import { CliError } from '../../kernel/model/errors.ts';
import type { CommandContext } from '../../kernel/feature.ts';
import { parseArguments } from '../../commands/arguments.ts';
import { copiedFiles, copyDatabase, journalsOf, openExisting } from './copy.ts';
import { primaryCode, resultCodes } from '../../engines/sqlite/failure.ts';
import { isClaimed, makeFolderOf } from '../../engines/sqlite/open.ts';

const postgresTool = 'pg_restore --clean --if-exists --single-transaction --dbname="$DATABASE_URL" FILE';

export const help = `Puts a copy of a backup in the place of the SQLite database, which no server may be using.

Usage: npm run restore -- FILE

The former database is kept under another name. PostgreSQL has tools of its own:
${postgresTool}

Options:
  --help, -h  prints this

Examples:
  npm run restore -- backup.db  restores backup.db
`;

/**
 * Puts a checked copy of a backup in the place of the database, which no server may be using. The former database
 * gets another name.
 *
 * @throws CliError when that is not possible; the database is then as it was.
 */
export async function run(context: CommandContext, args: readonly string[]): Promise<void> {
  const { positionals } = parseArguments({ help, names: [1, 1] }, args);
  const { name } = context.service;
  const { database, file } = copiedFiles(context, help, postgresTool, positionals[0] as string);
  let former: string | undefined;
  requireUnused(database, name);
  // As a first start does: a backup is restored on a new machine, too.
  makeFolderOf(database);
  const copied = await copyDatabase(file, database, name, () => {
    requireUnused(database, name);
    if (!existsSync(database)) return;
    former = `${database}.${new Date().toISOString().replaceAll(':', '-')}`;
    // A second name, until the copy takes the first: a start at any moment finds the one or the other.
    linkSync(database, former);
  });
  console.log(`${database} restored from ${file}: ${copied}`);
  if (former !== undefined) console.log(`The former database is now ${former}`);
}

/** Merges the journal of the database into its file: left beside another file, it would spoil that one. */
function requireUnused(database: string, service: string): void {
  if (!existsSync(database)) {
    const left = journalsOf(database);
    if (left.length === 0) return;
    throw new CliError(`${left.join(' and ')} is left of a database that is gone. Move it away first.`);
  }
  try {
    using connection = openExisting(database);
    isClaimed(connection, database, service);
    // SQLite refuses it while another connection has the database open.
    connection.exec('pragma journal_mode = delete');
  } catch (error) {
    if (error instanceof CliError) throw error;
    if (primaryCode(error) === resultCodes.busy) throw new CliError(`${database} is in use. Stop its servers first.`);
    throw new CliError(
      `${database} cannot be read: ${(error as Error).message}. Stop its servers, move it away with its -wal and -shm, ` +
        'and restore again.',
    );
  }
}
