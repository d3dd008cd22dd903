import { CliError, unavailable } from '../../kernel/model/errors.ts';

/** Primary result codes of SQLite (https://www.sqlite.org/rescode.html). */
export const resultCodes = {
  /** Another connection holds the lock. */
  busy: 5,
  /** The file or its disk cannot be written. */
  readOnly: 8,
  /** Given up, as it took too long. */
  interrupted: 9,
  damaged: 11,
  full: 13,
  cannotOpen: 14,
  /** A value is longer than the limit of the connection. */
  tooBig: 18,
  constraint: 19,
  noDatabase: 26,
} as const;

const { busy, readOnly, interrupted, damaged, full, cannotOpen, constraint, noDatabase } = resultCodes;

/** The primary result code of an error; undefined if it is none of SQLite. */
export const primaryCode = (error: unknown): number | undefined =>
  error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;

// No permission, busy, locked, no memory, read-only, I/O error, full, cannot open.
const temporary = new Set<number | undefined>([3, busy, 6, 7, readOnly, 10, full, cannotOpen]);

/** Turns an error of the database into ApiError `unavailable`; other errors are faults of this service. */
export function asUnavailable(error: unknown): unknown {
  const code = primaryCode(error);
  if (isUnconfirmed(error)) {
    return unavailable('The database did not confirm the write: it may have been done or not.', error);
  }
  if (temporary.has(code)) return unavailable('The database cannot be reached, is full or is busy. Try again.', error);
  if (code === interrupted)
    return unavailable('The write keeps the database busy for too long: nothing was done.', error);
  if (code === damaged || code === noDatabase) return unavailable('The database is damaged.', error);
  return error;
}

/** Whether an error is that of a commit, which may have been done or not. */
const isUnconfirmed = (error: unknown): boolean =>
  error instanceof Error && 'isUnconfirmed' in error && error.isUnconfirmed === true;

/** Turns an error of SQLite into a CliError with a remedy; other errors are faults of this program. */
export function cannotUse(file: string, error: unknown): unknown {
  const code = primaryCode(error);
  if (code === undefined) return error;
  const remedy = remedies.get(code) ?? 'Check its disk, and try again.';
  return new CliError(`The database ${file} cannot be used: ${(error as Error).message}. ${remedy}`);
}

const checkRights = 'Check that this user can write the file and its folder, and that its disk is not read-only.';
const restoreIt =
  'If it is a database of this service, it is damaged: put a backup in its place (npm run restore -- FILE).';
const remedies: ReadonlyMap<number, string> = new Map([
  [busy, 'See which process uses it, and try again.'],
  [readOnly, checkRights],
  [cannotOpen, checkRights],
  [damaged, restoreIt],
  [noDatabase, restoreIt],
  [full, 'Make room on its disk.'],
  [constraint, 'Change the records that the spec refuses, with the version before.'],
]);

/** An error as plain data for another thread. */
export interface Failure {
  readonly outcome: 'failed';
  readonly message: string;
  /** SQLite's result code; undefined for other errors. */
  readonly errcode: number | undefined;
  readonly isUnconfirmed: boolean;
}

export const failureOf = (error: unknown): Failure => ({
  outcome: 'failed',
  message: error instanceof Error ? (error.stack ?? error.message) : String(error),
  errcode: primaryCode(error),
  isUnconfirmed: isUnconfirmed(error),
});

/** The error of a failure, after `asUnavailable`. */
export const errorOf = ({ message, ...properties }: Failure): unknown =>
  asUnavailable(Object.assign(new Error(message), properties));
