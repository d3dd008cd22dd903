import { checkInterval } from './limits.ts';
import { setTimeout as pause } from 'node:timers/promises';

export { pause };

/**
 * The result of a promise; undefined if it takes too long, for a database that may be unreachable: less than the 2 seconds of a
 * health check. The wait keeps no process alive.
 */
export const inTime = <T>(promise: Promise<T> | undefined, limit = checkInterval): Promise<T | undefined> =>
  Promise.race([promise, pause(limit, undefined, { ref: false })]);

/** Calls `onTimeout` if a promise takes longer than so many milliseconds. @returns the promise */
export function limitWait<T>(limit: number, promise: Promise<T>, onTimeout: () => void): Promise<T> {
  const timer = setTimeout(onTimeout, limit);
  const end = (): void => clearTimeout(timer);
  promise.then(end, end);
  return promise;
}

/**
 * Does work after some milliseconds, and again after as many as it returns, until that is disposed. It keeps no process alive.
 *
 * @param work must not throw
 */
export function repeat(delay: number, work: () => number | Promise<number>): AsyncDisposable {
  let timer: NodeJS.Timeout | undefined;
  const plan = (rest: number): void => {
    timer = setTimeout(async () => {
      const next = await work();
      if (timer) plan(next);
    }, rest).unref();
  };
  plan(delay);
  const end = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
  };
  return { [Symbol.asyncDispose]: end };
}

/** About so many milliseconds: processes that need the same lock try again at different times. */
export const randomPause = (average = 100): Promise<void> => pause(average * (0.5 + Math.random()));

/**
 * Tries again until it succeeds.
 *
 * @param mayRetry whether a later attempt may succeed
 * @throws the last error after `limit` milliseconds, or one that is final
 */
export async function retry<T>(
  limit: number,
  attempt: () => Promise<T>,
  mayRetry: (error: unknown) => boolean,
): Promise<T> {
  for (const deadline = Date.now() + limit; ;) {
    try {
      return await attempt();
    } catch (error) {
      if (!mayRetry(error) || Date.now() >= deadline) throw error;
    }
    await randomPause();
  }
}
