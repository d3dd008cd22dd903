import { closeSync, existsSync, openSync } from 'node:fs';
import type { CommandContext } from '../../kernel/feature.ts';
import { CliError } from '../../kernel/model/errors.ts';
import { parseArguments } from '../../commands/arguments.ts';
import { copiedFiles, copyDatabase, journalsOf } from './copy.ts';

const postgresTool = 'pg_dump --format=custom --file=FILE "$DATABASE_URL"';

export const help = `Writes a copy of the SQLite database into a file, while servers use it, and checks the copy.

Usage: npm run backup -- FILE [options]

PostgreSQL has tools of its own: ${postgresTool}

Options:
  --force     replaces FILE if it exists
  --help, -h  prints this

Examples:
  npm run backup -- backup.db  writes backup.db, whole or not at all
`;

const options = { force: { type: 'boolean', default: false } } as const;

/**
 * Writes a copy of the database into a file, while servers use it: whole, checked and on the disk, or not at all.
 *
 * @throws CliError when it cannot be written, or would replace a file without `--force`.
 */
export async function run(context: CommandContext, args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArguments({ help, options, names: [1, 1] } as const, args);
  const { name } = context.service;
  const { database, file } = copiedFiles(context, help, postgresTool, positionals[0] as string);
  // SQLite would take what they hold for the newest part of the file, whichever file they belong to.
  const [left] = journalsOf(file);
  if (left !== undefined) {
    throw new CliError(`${left} exists: ${file} is or was the database of a program. Name another file.`);
  }
  if (existsSync(file) && !values.force) {
    throw new CliError(`${file} already exists. Name another file, or replace it with --force.`);
  }
  const copied = await copyDatabase(database, file, name, () => {
    // Fails if another process has created it in the meantime.
    if (!values.force) closeSync(openSync(file, 'wx'));
  });
  console.log(`Backup of ${database} written to ${file} and checked: ${copied}`);
}
