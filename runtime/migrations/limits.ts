import { checkInterval } from '../kernel/model/limits.ts';
import { minute } from '../kernel/values/time.ts';

/** Milliseconds that a step waits for a lock. Other statements on its table wait behind it. */
export const lockTimeout = checkInterval / 2;

/**
 * Milliseconds for which `npm run migrate` retries while other transactions lock the tables, and for which a concurrent change
 * of an index waits for them, as they do not wait for it.
 */
export const commandTimeout = minute;

/** Rows that one transaction changes or adds: others wait for its locks that long. */
export const rowsPerSlice = 500;

/** Bytes of a text and an id that an index holds together: a third of a page, without what a row of it has besides. */
export const maxIndexed = 2_660;
