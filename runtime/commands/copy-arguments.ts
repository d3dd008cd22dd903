import { existsSync, realpathSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { CliError } from '../errors.ts';
import { journalsOf } from '../backup/copy.ts';

const postgresTools = {
  backup: 'pg_dump --format=custom --file=FILE "$DATABASE_URL"',
  restore: 'pg_restore --clean --if-exists --single-transaction --dbname="$DATABASE_URL" FILE',
} as const;

export interface CopyArguments {
  /** The file of DATABASE_URL. */
  readonly database: string;
  /** The file that the command line names. */
  readonly file: string;
  readonly force: boolean;
}

/**
 * Reads what `backup` and `restore` are told: one file, which must have nothing to do with the database's own.
 *
 * @throws CliError that says what is wrong.
 */
export function copyArguments(
  command: keyof typeof postgresTools,
  args: readonly string[],
  options: readonly 'force'[] = [],
): CopyArguments {
  const { force, ...named } = readArguments(command, args, options);
  const kept = readConfig(process.env).database;
  if (kept.kind === 'postgres') {
    throw new CliError(`DATABASE_URL names a PostgreSQL database. Its own tools do this: ${postgresTools[command]}`);
  }
  const database = followed(kept.file);
  const file = followed(named.file);
  if ([database, ...journalsOf(database)].some((own) => isSameFile(own, file))) {
    throw new CliError(`${file} is the database itself, or belongs to it. Name another file.`);
  }
  // SQLite would take what they hold for the newest part of the file, whichever file they were made for.
  const left = journalsOf(file).find((journal) => existsSync(journal));
  if (left !== undefined && command === 'backup') {
    throw new CliError(`${left} is there: ${file} is or was the database of a program. Name another file.`);
  }
  return { database, file, force };
}

function readArguments(
  command: string,
  args: readonly string[],
  options: readonly 'force'[],
): { file: string; force: boolean } {
  const usage = `It is: npm run ${command} -- FILE${options.map((option) => ` [--${option}]`).join('')}`;
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: Object.fromEntries(options.map((option) => [option, { type: 'boolean' }] as const)),
      allowPositionals: true,
    });
    const [file, another] = positionals;
    if (file && another === undefined) return { file, force: values['force'] === true };
  } catch (error) {
    throw new CliError(`${(error as Error).message.split('. ')[0]}. ${usage}`);
  }
  throw new CliError(`One file must be named. ${usage}`);
}

/** Links are followed: SQLite puts its journal beside the file itself. */
const followed = (path: string): string => (existsSync(path) ? realpathSync(path) : path);

function isSameFile(one: string, other: string): boolean {
  const [a, b] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }));
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}
