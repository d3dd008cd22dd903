import { existsSync, realpathSync, statSync } from 'node:fs';
import { readConfig } from '../server/config.ts';
import { CliError } from '../model/errors.ts';
import { journalsOf } from './copy.ts';
import { parseArguments, usageError } from './arguments.ts';
import type { CommandDescription } from './description.ts';
import { commands } from './descriptions.ts';

const postgresTools = {
  backup: 'pg_dump --format=custom --file=FILE "$DATABASE_URL"',
  restore: 'pg_restore --clean --if-exists --single-transaction --dbname="$DATABASE_URL" FILE',
} as const;

/**
 * Reads the arguments of `backup` and `restore`: one file, which must have nothing to do with the database's own.
 *
 * @returns the file of DATABASE_URL as `database`, and that of the command line as `file`
 * @throws CliError that says what is wrong.
 */
export async function copyArguments(
  command: keyof typeof postgresTools,
  args: readonly string[],
): Promise<{ database: string; file: string; force: boolean }> {
  const { values, positionals } = await parseArguments<CommandDescription>(commands[command], args);
  const [named = ''] = positionals;
  if (named === '') throw usageError(commands[command], 'The name of the file is empty.');
  const configured = readConfig(process.env).database;
  if (configured.kind === 'postgres') {
    throw new CliError(`DATABASE_URL names a PostgreSQL database. Use its own tools: ${postgresTools[command]}`);
  }
  const database = followed(configured.file);
  const file = followed(named);
  if ([database, ...journalsOf(database)].some((own) => isSameFile(own, file))) {
    throw new CliError(`${file} is the database itself, or belongs to it. Name another file.`);
  }
  // SQLite would take what they hold for the newest part of the file, whichever file they belong to.
  const left = journalsOf(file).find((journal) => existsSync(journal));
  if (left !== undefined && command === 'backup') {
    throw new CliError(`${left} exists: ${file} is or was the database of a program. Name another file.`);
  }
  return { database, file, force: values['force'] === true };
}

/** Links are followed: SQLite puts its journal beside the file itself. */
const followed = (path: string): string => (existsSync(path) ? realpathSync(path) : path);

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}
