import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { CliError } from '../../errors.ts';

/** The `application_id` of the files of a service: 31 bits of a hash of its name. */
export const applicationId = (service: string): number =>
  createHash('sha256').update(service).digest().readUInt32BE() & 0x7fffffff;

/** How the file is to be read, as its `user_version`. */
const format = 1;

/** The first column of the first row. */
export const valueOf = (database: DatabaseSync, sql: string): unknown =>
  Object.values(database.prepare(sql).get() ?? {})[0];

/** Marks a new file as one of the service with this name. */
export function claim(database: DatabaseSync, service: string): void {
  database.exec(`pragma application_id = ${applicationId(service)}; pragma user_version = ${format}`);
}

/**
 * Whether a file is marked as one of the service with this name: false where there is nothing in it yet.
 *
 * @param file its name in messages
 * @throws CliError when it belongs to another program or service, or its format is not known.
 */
export function isClaimed(database: DatabaseSync, file: string, service: string): boolean {
  // At one moment: another server may be making it.
  database.exec('begin');
  const owner = valueOf(database, 'pragma application_id');
  const isEmpty = valueOf(database, 'select count(*) from sqlite_schema') === 0;
  const found = Number(valueOf(database, 'pragma user_version'));
  database.exec('commit');
  if (isEmpty) return false;
  if (owner !== applicationId(service)) {
    throw new CliError(`${file} is an SQLite database of another program: it does not belong to ${service}.`);
  }
  if (found === format) return true;
  throw new CliError(
    `The database ${file} has format ${found}, and this version reads format ${format}. Use the version that wrote it.`,
  );
}
