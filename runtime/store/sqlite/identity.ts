import type { DatabaseSync } from 'node:sqlite';
import { CliError } from '../../errors.ts';

// 'BRec': marks the file as ours.
const applicationId = 0x42526563;

/** How the file is to be read, as its `user_version`. */
const format = 1;

/** The first column of the first row. */
export const valueOf = (database: DatabaseSync, sql: string): unknown =>
  Object.values(database.prepare(sql).get() ?? {})[0];

/** Marks a new file as ours. */
export function claim(database: DatabaseSync): void {
  database.exec(`pragma application_id = ${applicationId}; pragma user_version = ${format}`);
}

/**
 * Whether a file is marked as ours: false where there is nothing in it yet. `file` is its name in messages.
 *
 * @throws CliError when it belongs to another program, or its format is not known.
 */
export function isClaimed(database: DatabaseSync, file: string): boolean {
  // At one moment: another server may be making it.
  database.exec('begin');
  const owner = valueOf(database, 'pragma application_id');
  const isEmpty = valueOf(database, 'select count(*) from sqlite_schema') === 0;
  const found = Number(valueOf(database, 'pragma user_version'));
  database.exec('commit');
  if (isEmpty) return false;
  if (owner !== applicationId) throw new CliError(`${file} is an SQLite database of another program.`);
  if (found === format) return true;
  throw new CliError(
    `The database ${file} has format ${found}, and this version reads format ${format}. Use the version that wrote it.`,
  );
}
