import type { RecordData } from './record-data.ts';

export type { RecordData, Value } from './record-data.ts';

/** A page of a list. */
export interface Page<T = RecordData> {
  readonly data: readonly T[];
  readonly has_more: boolean;
  /** The number of records in all pages. */
  readonly total: number;
}

/** An error of one field. */
export interface FieldError {
  /** Its place in the body (RFC 6901), like `/amount`. */
  readonly pointer: string;
  readonly code: string;
  readonly message: string;
}

/** Why the service has refused a request (RFC 9457). */
export interface Problem {
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** Stable, like `wrong_state`; the details may be reworded. */
  readonly code: string;
  readonly request_id?: string;
  readonly errors?: readonly FieldError[];
  /** How many more errors there are than are listed. */
  readonly errors_omitted?: number;
  /** In a batch: the place of the operation that failed, from 0. */
  readonly operation?: number;
}

/** The service has answered, and refused. */
export class Refusal extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail);
    this.name = 'Refusal';
    this.problem = problem;
  }
}

/** There was no answer, or none of the service: of a write, the outcome is unknown. */
export class NoAnswer extends Error {
  constructor(cause: unknown) {
    super('The server cannot be reached. Check the connection, then try again.', { cause });
    this.name = 'NoAnswer';
  }
}

/** Parameters of a query; those that are undefined are left out. */
export type Query = URLSearchParams | Readonly<Record<string, string | number | undefined>>;

interface RequestOptions {
  readonly query?: Query;
  /** Sent as JSON. */
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
}

/** The URL of a path of the service, which may be behind a prefix: that of this page without its last segment. */
export function urlOf(path: string, query: Query = {}): string {
  const url = new URL(`.${path}`, location.href.replace(/[?#].*$/s, ''));
  const entries = query instanceof URLSearchParams ? query : Object.entries(query);
  for (const [name, value] of entries) if (value !== undefined) url.searchParams.append(name, String(value));
  return url.href;
}

const isProblem = (body: unknown): body is Problem =>
  typeof body === 'object' && body !== null && 'code' in body && 'detail' in body && 'status' in body;

/** The public API, with the key of who has signed in. */
export class Api {
  readonly #key: string;
  readonly #onUnauthorized: () => void;

  /** @param onUnauthorized is told when the key is not, or no longer, valid */
  constructor(key: string, onUnauthorized: () => void) {
    this.#key = key;
    this.#onUnauthorized = onUnauthorized;
  }

  /**
   * Sends a request.
   *
   * @param path like `/api/crm/lead`
   * @returns the JSON of the answer
   * @throws Refusal where the service refuses, NoAnswer where it cannot be reached, AbortError where `signal` ends it
   */
  async request<T>(method: string, path: string, { query, body, signal }: RequestOptions = {}): Promise<T> {
    const headers: Record<string, string> = { Authorization: `Bearer ${this.#key}` };
    if (body !== undefined) headers['Content-Type'] = 'application/json';
    let response: Response;
    let answer: unknown;
    try {
      response = await fetch(urlOf(path, query), {
        method,
        headers,
        credentials: 'omit',
        cache: 'no-store',
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(signal && { signal }),
      });
      answer = await response.json();
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new NoAnswer(error);
    }
    if (response.ok) return answer as T;
    if (response.status === 401) this.#onUnauthorized();
    throw isProblem(answer) ? new Refusal(answer) : new NoAnswer(answer);
  }

  /** Reads a record, or a page. See `request`. */
  get<T = RecordData>(path: string, query?: Query, signal?: AbortSignal): Promise<T> {
    return this.request('GET', path, { ...(query && { query }), signal });
  }

  post<T = RecordData>(path: string, body?: unknown): Promise<T> {
    return this.request('POST', path, { body });
  }

  patch<T = RecordData>(path: string, body: unknown): Promise<T> {
    return this.request('PATCH', path, { body });
  }

  delete(path: string): Promise<{ readonly id: string }> {
    return this.request('DELETE', path);
  }
}

/** The message of a failure, for people. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'Something went wrong. Reload the page.';
