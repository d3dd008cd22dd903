import { DatabaseError } from 'pg';
import { ApiError, unavailable } from '../../errors.ts';

/** A connection that ended while something was asked on it: whether a write was done is not known. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** Why no connection could be made. */
export class CannotConnect extends Error {
  override readonly name = 'CannotConnect';
}

/** PostgreSQL's code of a failure (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
export const sqlState = (error: unknown): string | undefined =>
  error instanceof DatabaseError ? error.code : undefined;

/** The whole transaction was undone, because another one was in its way, and may be tried again. */
export function isConflict(error: unknown): boolean {
  const code = sqlState(error);
  // Serialization failure; deadlock; a prepared statement that a pooler between us and the server does not know.
  return code === '40001' || code === '40P01' || code === '26000';
}

/** The server has ended the connection, or nobody knows who did. */
export function isLost(error: unknown): boolean {
  // Admin shutdown, crash shutdown, cannot connect now, idle session timeout, idle in transaction timeout.
  return error instanceof ConnectionLost || /^(?:57P0[1235]|25P03)$/.test(sqlState(error) ?? '');
}

/** A connection was ended while it was made: the next attempt may succeed. */
export function isCutOff(error: unknown): boolean {
  if (!(error instanceof CannotConnect)) return false;
  const cause = error.cause as NodeJS.ErrnoException;
  return isLost(cause) || cause.code === 'ECONNRESET' || cause.message.startsWith('Connection terminated');
}

/** The server takes no writes any more: another one may by now. */
export const isReadOnly = (error: unknown): boolean => sqlState(error) === '25006';

/** Somebody has renamed or dropped what this server needs. */
export const isMissing = (error: unknown): boolean => /^(?:42P01|42703)$/.test(sqlState(error) ?? '');

const details: readonly (readonly [RegExp, string])[] = [
  [/^25006$/, 'The database takes no writes now. Try again.'],
  [/^53100$/, 'The disk of the database is full. Try again later.'],
  [/^(?:55P03|57014)$/, 'The database is busy. Try again.'],
  [/^(?:40001|40P01)$/, 'Too many writes are in the way of this one. Try again.'],
  [/^(?:42P01|42703)$/, 'The schema of the database is being changed. Try again.'],
  // Connections, authorization, names of databases, resources, operator intervention, system errors.
  [/^(?:08|28|3D|53|57|58|25P03)/, 'The database cannot be reached. Try again.'],
];

/** What a caller is told of a failure: to try again, where that can help; otherwise it is ours, and stays as it is. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  if (error instanceof ConnectionLost || error instanceof CannotConnect) {
    return unavailable('The database cannot be reached. Try again.', error);
  }
  const code = sqlState(error);
  const detail = code === undefined ? undefined : details.find(([codes]) => codes.test(code))?.[1];
  return detail === undefined ? error : unavailable(detail, error);
}
