import { checkInterval } from '../model/limits.ts';

/** Milliseconds for which a key is accepted without another look, which takes a while, too: a revoked key stops within a second. */
export const maxKeyAge = 0.9 * checkInterval;

/** Keys that are looked up at a time: on SQLite, nothing else is done meanwhile. */
export const maxKeysRead = 100;

/** Milliseconds after which the uses of keys are stored: one write for all that were used. */
export const useInterval = 60_000;
