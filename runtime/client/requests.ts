import { ApiFailure, type Problem } from './failure.ts';
import { type Query, searchOf } from './query.ts';
import { delayBefore, secondsOf, wait } from './retry.ts';

/** Options of a single request. */
export interface RequestOptions {
  /** Ends the request, and the wait before it is repeated. The operation rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that each attempt may take, to the last byte of its answer: 30,000 by default. */
  readonly timeout?: number | undefined;
  /** The most repetitions of a request, which is repeated if that is safe: 3 by default. */
  readonly retries?: number | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sends the requests instead of the global `fetch`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

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
}

/** Sends the requests of operations. */
export interface Requests {
  send<T>(call: Call, options?: RequestOptions): Promise<T>;
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
  async send<T>(call: Call, options: RequestOptions = {}): Promise<T> {
    const signal = options.signal ?? this.#options.signal;
    const retries = options.retries ?? this.#options.retries ?? 3;
    for (let attempt = 0; ; attempt++) {
      const outcome = await this.#attempt<T>(call, { ...options, signal });
      if (!(outcome instanceof ApiFailure)) return outcome.body;
      const delay = attempt < retries ? delayBefore(outcome, call.method === 'GET', attempt) : undefined;
      if (delay === undefined) throw outcome;
      await wait(delay, signal);
    }
  }

  async #attempt<T>(call: Call, { signal, ...options }: RequestOptions): Promise<{ readonly body: T } | ApiFailure> {
    const { method, path, query = {}, body } = call;
    const { key, headers, timeout = 30_000 } = this.#options;
    const send = options.fetch ?? this.#options.fetch ?? globalThis.fetch;
    const limit = AbortSignal.timeout(options.timeout ?? timeout);
    const request = `${method} ${path}`;
    // An error in here is not a failure of the request.
    const url = this.#url + pathOf(call) + searchOf(query);
    const init: RequestInit = {
      method,
      headers: new Headers({
        Accept: 'application/json',
        Authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
        ...options.headers,
      }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // Followed, a redirected POST would become a GET, whose answer is no record.
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
        ? { code: 'timed_out', detail: 'There was no answer in time.' }
        : { code: 'network_error', detail: `There was no complete answer: ${String(cause)}` };
      return new ApiFailure(request, problem, { cause });
    }
  }
}

/** The path of a request; `segmentOf` writes its id. */
export const pathOf = ({ path, id, action }: Call, segmentOf: (id: string) => string = encodeURIComponent): string =>
  [path, ...(id === undefined ? [] : [segmentOf(id)]), ...(action === undefined ? [] : [action])].join('/');

/** The outcome of a request: the parsed body of a success, or the failure. */
function outcomeOf<T>(request: string, response: Response, text: string): { readonly body: T } | ApiFailure {
  const { status, headers } = response;
  const retryAfter = secondsOf(headers.get('Retry-After'));
  try {
    const body: unknown = JSON.parse(text);
    if (response.ok) return { body: body as T };
    if (/^application\/problem\+json\b/i.test(headers.get('Content-Type') ?? '')) {
      return new ApiFailure(request, body as Problem, { retryAfter });
    }
  } catch {
    // It is no JSON, and so not the service's.
  }
  const detail = `The answer is not of the service: status ${status}, ${JSON.stringify(text.slice(0, 100))}.`;
  return new ApiFailure(request, { code: 'unexpected_response', status, detail }, { retryAfter });
}
