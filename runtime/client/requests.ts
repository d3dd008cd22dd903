import { defaultTimeout, firstDelay, longestDelay, longestWait } from './limits.ts';
import { noteEtag } from './etag.ts';
import { ApiFailure, type Problem } from './failure.ts';
import { type Query, searchOf } from './query.ts';

/** The statuses of proxies that could not reach the server, or limit rates themselves. */
const repeatableStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

const repeatableCodes: ReadonlySet<string> = new Set([
  'rate_limited',
  'overloaded',
  'unavailable',
  'idempotency_key_in_use',
  'network_error',
]);

/** Whether a request that has failed may be sent again: the `Idempotency-Key` of a write keeps it from being done twice. */
export function isRepeatable({ problem }: ApiFailure): boolean {
  if (problem.code === 'unexpected_response') return repeatableStatuses.has(problem.status);
  return repeatableCodes.has(problem.code);
}

/** A key that no other write has. Browsers have `randomUUID` on secure origins alone. */
export const randomKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

/**
 * Milliseconds to wait before a request that has failed is sent again; undefined if it is not.
 *
 * @param attempt how many times it was repeated so far
 */
function delayBefore(failure: ApiFailure, attempt: number): number | undefined {
  const { retryAfter } = failure;
  if (!isRepeatable(failure)) return undefined;
  if (retryAfter !== undefined && retryAfter > longestWait) return undefined;
  const delay = retryAfter === undefined ? Math.min(firstDelay * 2 ** attempt, longestDelay) : retryAfter * 1000;
  // Clients that were refused together do not come again together.
  return delay * (1 + Math.random() / 4);
}

/** The seconds of a `Retry-After` (RFC 9110, section 10.2.3); undefined if there is none. */
function secondsOf(retryAfter: string | null): number | undefined {
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

/** Options of a single request. */
export interface RequestOptions {
  /** Ends the request, and the wait before it is repeated. The operation rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that each attempt may take, to the last byte of its response: 30,000 by default. */
  readonly timeout?: number | undefined;
  /** The most repetitions of a request, which is repeated if that is safe: 3 by default. */
  readonly retries?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sends the requests instead of the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

/** Options of a request that writes. */
export interface WriteOptions extends RequestOptions {
  /**
   * The `Idempotency-Key` of the write: for 24 hours, the same write with the same key is not done again, and has the result
   * of the first one. By default it is random, and the same for all repetitions of a request.
   */
  readonly idempotencyKey?: string | undefined;
}

/** The condition of a write. */
export interface Condition {
  /** The ETag that the record must still have: if another client has changed it, nothing is done, and the code is `stale`. */
  readonly ifMatch?: string;
}

/** Options of a request that changes one record. */
export interface ChangeOptions extends WriteOptions, Condition {}

/** Options of all requests of a client. */
export interface ClientOptions extends RequestOptions {
  /** The address of the service, like `https://records.example.com`; it may have a path. */
  readonly url: string | URL;
  /** The API key. */
  readonly key: string;
}

/** A request before it is sent. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly id?: string;
  /** The segment behind the id, of a transition. */
  readonly action?: string;
  readonly query?: Query | undefined;
  readonly body?: unknown;
  readonly condition?: { readonly ifMatch?: string | undefined } | undefined;
}

/**
 * The header `If-Match` of a request.
 *
 * @throws TypeError if it is given as undefined, like the ETag of a copy: the write would undo the changes of others
 */
export function ifMatchOf({ condition }: Call): string | undefined {
  const ifMatch = condition?.ifMatch;
  if (condition && 'ifMatch' in condition && ifMatch === undefined) {
    throw new TypeError('ifMatch is undefined: only a record that a response had by itself has an ETag.');
  }
  return ifMatch;
}

/** Sends the requests of operations. */
export interface Requests {
  send<T>(call: Call, options?: WriteOptions): Promise<T>;
}

/** Requests to a service. */
export class HttpRequests implements Requests {
  readonly #options: ClientOptions;
  readonly #url: string;

  /** @throws TypeError if the URL is none */
  constructor(options: ClientOptions) {
    this.#options = options;
    this.#url = new URL(options.url).href.replace(/\/+$/, '');
  }

  /**
   * Sends a request, and sends it again if that is safe.
   *
   * @throws ApiFailure if it has no successful response
   * @throws the reason of the signal if that is aborted
   */
  async send<T>(call: Call, options: WriteOptions = {}): Promise<T> {
    const signal = options.signal ?? this.#options.signal;
    const retries = options.retries ?? this.#options.retries ?? 3;
    const ownKey = call.method !== 'GET' && retries > 0 ? randomKey() : undefined;
    const idempotencyKey = options.idempotencyKey ?? ownKey;
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt<T>(call, { ...options, signal, idempotencyKey });
      if (!(outcome instanceof ApiFailure)) return outcome.body;
      const delay = attempt < retries ? delayBefore(outcome, attempt) : undefined;
      if (delay === undefined) throw outcome;
      await wait(delay, signal);
    }
  }

  async #attempt<T>(call: Call, { signal, ...options }: WriteOptions): Promise<{ readonly body: T } | ApiFailure> {
    const { method, path, query = {}, body } = call;
    const { key, headers, timeout = defaultTimeout } = this.#options;
    const send = options.fetch ?? this.#options.fetch ?? globalThis.fetch;
    const limit = AbortSignal.timeout(options.timeout ?? timeout);
    const request = `${method} ${path}`;
    // An error in here is not a failure of the request.
    const url = this.#url + callPath(call) + searchOf(query);
    const ifMatch = ifMatchOf(call);
    const init: RequestInit = {
      method,
      headers: new Headers({
        Accept: 'application/json',
        Authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
        ...(options.idempotencyKey !== undefined && { 'Idempotency-Key': options.idempotencyKey }),
        ...headers,
        ...options.headers,
      }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // Followed, a redirected POST would become a GET, whose response is no record.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    };
    signal?.throwIfAborted();
    try {
      const response = await send(url, init);
      return outcomeOf<T>(request, response, await response.text());
    } catch (cause) {
      signal?.throwIfAborted();
      const problem: Problem = limit.aborted
        ? { code: 'timed_out', detail: 'There was no response in time.' }
        : { code: 'network_error', detail: `There was no complete response: ${String(cause)}` };
      return new ApiFailure(request, problem, { cause });
    }
  }
}

/** The path of a request; `segmentOf` writes its id. */
export const callPath = ({ path, id, action }: Call, segmentOf: (id: string) => string = encodeURIComponent): string =>
  [path, ...(id === undefined ? [] : [segmentOf(id)]), ...(action === undefined ? [] : [action])].join('/');

/** The outcome of a request: the parsed body of a success, or the failure. */
function outcomeOf<T>(request: string, response: Response, text: string): { readonly body: T } | ApiFailure {
  const { status, headers } = response;
  const retryAfter = secondsOf(headers.get('Retry-After'));
  // Proxies that compress make it weak.
  const etag = headers.get('ETag')?.replace(/^W\//, '');
  try {
    const body: unknown = JSON.parse(text);
    if (response.ok) {
      if (etag !== undefined) noteEtag(body as object, etag);
      return { body: body as T };
    }
    if (/^application\/problem\+json\b/i.test(headers.get('Content-Type') ?? '')) {
      return new ApiFailure(request, body as Problem, { retryAfter, etag });
    }
  } catch {
    // It is no JSON, and so not the service's.
  }
  const detail = `The response is not of the service: status ${status}, ${JSON.stringify(text.slice(0, 100))}.`;
  return new ApiFailure(request, { code: 'unexpected_response', status, detail }, { retryAfter });
}
