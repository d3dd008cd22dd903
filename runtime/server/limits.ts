import { checkInterval, maxWorkDuration } from '../kernel/model/limits.ts';
import { minute } from '../kernel/values/time.ts';

/** Milliseconds for which a client may make no progress: longer than the server may make none. */
export const stallTimeout = 2 * maxWorkDuration;

/** Milliseconds for which an idle connection stays open: longer than the 60 seconds of most proxies, which close it first. */
export const keepAliveTimeout = minute + 5 * checkInterval;

/** Milliseconds that a stop leaves to the requests in flight. Supervisors give a process ten seconds. */
export const stopTimeout = 8_000;

/** Milliseconds for which a connection was idle when a stop ends it: by default, and if a stop must be quick. */
export const idleTimeouts = { normal: checkInterval, quick: 100 };

/** Milliseconds for a client to close a connection after the last response, and for a stop to find no new connection. */
export const briefWait = 2 * checkInterval;
