import type { DatabaseSync } from 'node:sqlite';
import { CliError } from '../../errors.ts';
import { formats } from '../../migrate/sqlite-schema.ts';

// 'BRec': marks the file as ours.
const applicationId = 0x42526563;

/** The first column of the first row. */
export const valueOf = (database: DatabaseSync, sql: string): unknown =>
  Object.values(database.prepare(sql).get() ?? {})[0];

/** Marks a new file as ours. */
export function claim(database: DatabaseSync): void {
  database.exec(`pragma application_id = ${applicationId}; pragma user_version = ${formats.current}`);
}

/**
 * Says which format a file of ours has: undefined where there is nothing in it yet. `file` is its name in messages.
 *
 * @throws CliError when it is of another program, or its format is not known.
 */
export function formatOf(database: DatabaseSync, file: string): number | undefined {
  // At one moment: another server may be making it.
  database.exec('begin');
  const owner = valueOf(database, 'pragma application_id');
  const isEmpty = valueOf(database, 'select count(*) from sqlite_schema') === 0;
  const format = Number(valueOf(database, 'pragma user_version'));
  database.exec('commit');
  if (isEmpty) return undefined;
  if (owner !== applicationId) throw new CliError(`${file} is an SQLite database of another program.`);
  if (format >= formats.oldest && format <= formats.current) return format;
  throw new CliError(
    `The database ${file} has the format ${format}, and this program knows the formats ${formats.oldest} to ` +
      `${formats.current}. Use the version of the program that wrote it.`,
  );
}
