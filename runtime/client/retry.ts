import type { ApiFailure } from './failure.ts';

/** The longest `Retry-After` that is waited for, in seconds. */
const longestWait = 30;

/** Milliseconds before the first repetition if the server names no time; each further one waits twice as long. */
const firstDelay = 250;
const longestDelay = 8_000;

/** The statuses of proxies that could not reach the server. */
const gatewayStatuses: ReadonlySet<number> = new Set([502, 503, 504]);

/** Errors of Node before a connection is open: nothing was sent. Browsers do not tell. */
const unsent: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const wasNotSent = (cause: unknown): boolean =>
  cause instanceof Error && unsent.has((cause.cause as { readonly code?: unknown } | undefined)?.code);

/**
 * Whether a request that has failed may be sent again. `rate_limited` and `overloaded` are answered before anything is done
 * (of a reorder, at the latest before its answer is read: it comes to the same order again). A request without a connection
 * was not sent. All other failures leave open whether a write was done, and only reads are repeated.
 */
export function isRepeatable({ problem, cause }: ApiFailure, isRead: boolean): boolean {
  if (problem.code === 'rate_limited' || problem.code === 'overloaded' || wasNotSent(cause)) return true;
  if (problem.code === 'unexpected_response') {
    return problem.status === 429 || (isRead && gatewayStatuses.has(problem.status));
  }
  return isRead && (problem.code === 'network_error' || problem.code === 'unavailable');
}

/**
 * Milliseconds to wait before a request that has failed is sent again; undefined if it is not.
 *
 * @param attempt how many times it was repeated so far
 */
export function delayBefore(failure: ApiFailure, isRead: boolean, attempt: number): number | undefined {
  const { retryAfter } = failure;
  if (!isRepeatable(failure, isRead)) return undefined;
  if (retryAfter !== undefined && retryAfter > longestWait) return undefined;
  const delay = retryAfter === undefined ? Math.min(firstDelay * 2 ** attempt, longestDelay) : retryAfter * 1000;
  // Clients that were refused together do not come again together.
  return delay * (1 + Math.random() / 4);
}

/** The seconds of a `Retry-After` (RFC 9110, section 10.2.3); undefined if there is none. */
export function secondsOf(retryAfter: string | null): number | undefined {
  if (!retryAfter) return undefined;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (Date.parse(retryAfter) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(seconds, 0);
}

/** Waits for so many milliseconds. @throws the signal's reason if it is aborted before */
export function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
  });
}
