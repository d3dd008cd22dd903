import { unavailable } from '../../errors.ts';

interface SqliteError extends Error {
  readonly errcode: number;
}

const isSqliteError = (error: unknown): error is SqliteError => error instanceof Error && 'errcode' in error;

// https://www.sqlite.org/rescode.html, the primary codes: busy, locked, no memory, read-only, interrupted, I/O error,
// full, cannot open.
const passing = new Set([5, 6, 7, 8, 9, 10, 13, 14]);

/** What a caller is told of a failure: to try again, where that can help; otherwise it is ours, and stays as it is. */
export function asUnavailable(error: unknown): unknown {
  if (!isSqliteError(error) || !passing.has(error.errcode & 0xff)) return error;
  return unavailable('The database cannot be reached, is full or is busy. Try again.', error);
}
