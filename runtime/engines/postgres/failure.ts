import { DatabaseError } from 'pg';
import { ApiError, unavailable } from '../../kernel/model/errors.ts';

/** The connection ended before the result: it is unknown whether the statement was executed. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
}

/** No connection could be opened. */
export class CannotConnect extends Error {
  override readonly name = 'CannotConnect';
}

/** The SQLSTATE of an error (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
export const sqlState = (error: unknown): string | undefined =>
  error instanceof DatabaseError ? error.code : undefined;

/** @param states a regular expression of them */
export const hasState =
  (states: RegExp) =>
  (error: unknown): boolean =>
    states.test(sqlState(error) ?? '');

/** The session's prepared statements are those of another client: a pooler shares it. */
export const isForeignStatement = hasState(/^(?:26000|42P05)$/);

/** A column has another type or collation than when the session prepared the statement. */
export const isPlanOutdated = (error: unknown): boolean =>
  sqlState(error) === '0A000' && (error as DatabaseError).routine === 'RevalidateCachedQuery';

const isRolledBack = hasState(/^(?:40001|40P01|23505|26000|42P05)$/);

/**
 * The transaction was rolled back and may be retried: serialization failure, deadlock, foreign or outdated prepared statement,
 * unique values that another record has, or that another transaction has stored meanwhile.
 */
export const isConflict = (error: unknown): boolean => isRolledBack(error) || isPlanOutdated(error);

/** A lock was not granted in time. */
export const isLockTimeout = hasState(/^55P03$/);

/** The server has become read-only: another one may accept writes. */
export const isReadOnly = hasState(/^25006$/);

/** A table or column was renamed or dropped. */
export const isSchemaOutdated = hasState(/^(?:42P01|42703)$/);

/** The server ended the connection: admin shutdown, crash, starting or stopping, idle timeouts. */
const isEndedByServer = hasState(/^(?:57P0[1235]|25P03)$/);

const isUnconfirmed = hasState(/^(?:08|40003$)/);

/** Whether the node of the record did not confirm the commit, or the asked one crashed. Citus has no SQLSTATE for that. */
const isNodeUnconfirmed = (error: unknown): boolean =>
  sqlState(error) === 'XX000' &&
  /^(?:could not commit transaction |postmaster was shut down)/.test((error as Error).message);

/** It is unknown whether the statement or transaction was executed. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof ConnectionLost || isEndedByServer(error) || isUnconfirmed(error) || isNodeUnconfirmed(error);

/** The connection ended while it was opened: the next attempt may succeed. */
export function isConnectInterrupted(error: unknown): boolean {
  if (!(error instanceof CannotConnect)) return false;
  const cause = error.cause as NodeJS.ErrnoException;
  return isEndedByServer(cause) || cause.code === 'ECONNRESET' || cause.message.startsWith('Connection terminated');
}

const details: readonly (readonly [RegExp, string])[] = [
  [/^25006$/, 'The database accepts no writes now. Try again.'],
  [/^53100$/, 'The disk of the database is full. Try again later.'],
  [/^(?:55P03|57014|26000|42P05)$/, 'The database is busy. Try again.'],
  [/^(?:40001|40P01|23505)$/, 'Too many writes conflict with this one. Try again.'],
  [/^(?:0A000|42P01|42703)$/, 'The schema of the database is being changed. Try again.'],
  // Connections, authorization, names of databases, resources, operator intervention, system errors.
  [/^(?:08|28|3D|53|57|58)/, 'The database cannot be reached. Try again.'],
];

/** Describes a value that the database refuses as too large. A short name of an index says the field (see `fieldIndex`). */
function whatIsTooLarge(message: string): string {
  const index = /^index row .* for index "([^"]+)"/.exec(message)?.[1];
  if (index === undefined) return 'The record is too large for the database.';
  const [, field] = /^_[^.]+[.]([^.]+)[.](?![0-9a-f]{16}$)/.exec(index) ?? [];
  if (field === undefined) return `The texts in the index ${index} are too long: it holds about 2,700 bytes.`;
  return `The text in ${field} is too long: lists are filtered or sorted by it, and an index holds about 2,700 bytes.`;
}

/**
 * Turns an error into ApiError `unavailable` if another attempt can help, and into `body_too_large` if a row has more bytes than a
 * page: the columns of fields that the spec no longer has take room too. Other errors are faults of this service.
 */
export function asUnavailable(error: unknown): unknown {
  const isLost = isOutcomeUnknown(error) || error instanceof CannotConnect;
  const state = isLost ? '08' : (sqlState(error) ?? '');
  if (state === '54000') {
    return new ApiError('body_too_large', whatIsTooLarge((error as Error).message), { cause: error });
  }
  const detail = details.find(([states]) => states.test(state))?.[1];
  return detail === undefined ? error : unavailable(detail, error);
}
