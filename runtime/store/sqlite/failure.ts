import { unavailable } from '../../errors.ts';

/** The primary code of a failure of SQLite (https://www.sqlite.org/rescode.html); undefined for any other. */
export const primaryCode = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;

/** Another connection holds the lock. */
export const busy = 5;

// Busy, locked, no memory, read-only, interrupted, I/O error,
// full, cannot open.
const passing = new Set<number | undefined>([busy, 6, 7, 8, 9, 10, 13, 14]);

/** What a caller is told of a failure: to try again, where that can help; otherwise it is ours, and stays as it is. */
export function asUnavailable(error: unknown): unknown {
  if (!passing.has(primaryCode(error))) return error;
  return unavailable('The database cannot be reached, is full or is busy. Try again.', error);
}
