import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { CliError } from '../../errors.ts';
import { formats } from '../../migrate/sqlite-schema.ts';

/** The `application_id` of the files of a service: 31 bits of a hash of its name. */
export const applicationId = (service: string): number =>
  createHash('sha256').update(service).digest().readUInt32BE() & 0x7fffffff;

/** The first column of the first row. */
export const valueOf = (database: DatabaseSync, sql: string): unknown =>
  Object.values(database.prepare(sql).get() ?? {})[0];

/** Marks a new file as one of the service with this name. */
export function claim(database: DatabaseSync, service: string): void {
  database.exec(`pragma application_id = ${applicationId(service)}; pragma user_version = ${formats.current}`);
}

/**
 * Says which format a file of ours has: undefined where there is nothing in it yet. `file` is its name in messages,
 * `service` the name of the service that it must belong to.
 *
 * @throws CliError when it is of another program or service, or its format is not known.
 */
export function formatOf(database: DatabaseSync, file: string, service: string): number | undefined {
  // At one moment: another server may be making it.
  database.exec('begin');
  const owner = valueOf(database, 'pragma application_id');
  const isEmpty = valueOf(database, 'select count(*) from sqlite_schema') === 0;
  const format = Number(valueOf(database, 'pragma user_version'));
  database.exec('commit');
  if (isEmpty) return undefined;
  if (owner !== applicationId(service)) {
    throw new CliError(`${file} is an SQLite database of another program: it does not belong to ${service}.`);
  }
  if (format >= formats.oldest && format <= formats.current) return format;
  throw new CliError(
    `The database ${file} has the format ${format}, and this program knows the formats ${formats.oldest} to ` +
      `${formats.current}. Use the version of the program that wrote it.`,
  );
}
