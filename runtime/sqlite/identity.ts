import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { CliError } from '../model/errors.ts';

/** The `application_id` of a service's files: 31 bits of a hash of its name. */
export const applicationId = (service: string): number =>
  createHash('sha256').update(service).digest().readUInt32BE() & 0x7fffffff;

/** The format of the file, stored as its `user_version`. */
const format = 1;

/** The first column of the first row of a query. */
export const valueOf = (database: DatabaseSync, sql: string): unknown =>
  Object.values(database.prepare(sql).get() ?? {})[0];

/** A statement that changes nothing and still commits a page. */
export const rewriteFormat = `pragma user_version = ${format}`;

/** Marks a new file as belonging to the service. */
export function claim(database: DatabaseSync, service: string): void {
  database.exec(`pragma application_id = ${applicationId(service)}; ${rewriteFormat}`);
}

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
