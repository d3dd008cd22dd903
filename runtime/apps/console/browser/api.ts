import { type Queued, sendBatch } from '../../../client/batch.ts';
import { ApiFailure, type ServerProblem } from '../../../client/failure.ts';
import { type Call, HttpRequests, randomKey, type Requests } from '../../../client/requests.ts';
import { type JsonText, printJson } from '../../../kernel/values/json-text.ts';
import type { Page as PageOf } from '../../../client/types.ts';
import { problemText } from './problem-text.ts';
import { texts } from './texts.ts';

/** The value of a field. */
type List = readonly (string | number)[];

export type Value = string | number | boolean | null | List | Free;

/** An object, or a JSON text that was typed. */
type Free = JsonText | { readonly [key: string]: unknown };

export const isList = (value: unknown): value is List => Array.isArray(value);

/** A record as a response has it. */
export type RecordData = Readonly<Record<string, Value>>;

export type Page = PageOf<RecordData>;

/** The action of an operation, as scopes name it: `write` is create, update, delete and reorder. */
export type Action = 'read' | 'write' | 'transition';

/** The key in use: the response of `/api/key`. */
export interface Key {
  readonly name: string;
  /** The actor of its events. */
  readonly actor: string;
  readonly organization: string;
  /** Like `*`, `crm`, `crm/lead:read`. */
  readonly scopes: readonly string[];
}

/** Whether a key may do something with a resource. @param route of the resource, like `crm/lead` */
export function allows({ scopes }: Key, route: string, action: Action): boolean {
  const area = route.split('/')[0] as string;
  return ['*', area, route].some((name) => scopes.includes(name) || scopes.includes(`${name}:${action}`));
}

interface SendOptions {
  readonly signal?: AbortSignal | undefined;
  /** Its events have it, and the log of the server: several requests may have the same. */
  readonly requestId?: string | undefined;
}

/** Milliseconds for a response: slow lines need time to carry a batch. */
const timeout = 300_000;

/**
 * The public API, with the key of the user. Requests are repeated as those of other clients, and then reject with `ApiFailure`, or
 * the reason of their signal. A write that is sent again because it had no response is not done twice.
 */
export class Api implements Requests {
  readonly #requests: HttpRequests;
  /** The `Idempotency-Key` of each write that had no response, by its JSON. */
  readonly #unanswered = new Map<string, string>();
  readonly #onUnauthorized: () => void;

  /** @param onUnauthorized is told when the key is not, or no longer, valid */
  constructor(url: URL, key: string, onUnauthorized: () => void) {
    this.#requests = new HttpRequests({ url, key, timeout });
    this.#onUnauthorized = onUnauthorized;
  }

  async send<T = RecordData>(call: Call, { signal, requestId }: SendOptions = {}): Promise<T> {
    const json = printJson(call);
    const idempotencyKey = call.method === 'GET' ? undefined : (this.#unanswered.get(json) ?? randomKey());
    if (idempotencyKey !== undefined) this.#unanswered.set(json, idempotencyKey);
    try {
      const send = (to: string, init: RequestInit): Promise<Response> =>
        this.#fetch(to, call.body === undefined ? init : { ...init, body: printJson(call.body) });
      const headers = requestId === undefined ? {} : { 'X-Request-Id': requestId };
      const body = await this.#requests.send<T>(call, { signal, idempotencyKey, headers, fetch: send });
      this.#unanswered.delete(json);
      return body;
    } catch (error) {
      const status = statusOf(error) ?? 500;
      if (status < 500) this.#unanswered.delete(json);
      if (status === 401) this.#onUnauthorized();
      throw error;
    }
  }

  #fetch(to: string, init: RequestInit): Promise<Response> {
    // The document is public: the page has begun to load it, in just this way.
    if (to.endsWith('/openapi.json')) return fetch(to, { signal: init.signal ?? null });
    // No response with records is kept.
    return fetch(to, { ...init, credentials: 'omit', cache: 'no-store' });
  }

  /** Reads a record, or a page. @param path with its query */
  get<T = RecordData>(path: string, signal?: AbortSignal): Promise<T> {
    return this.send<T>({ method: 'GET', path }, { signal });
  }

  /** Does the writes that a callback queues in one commit: all or none. */
  batch(
    write: (requests: Requests) => readonly Queued<RecordData>[],
    options?: SendOptions,
  ): Promise<readonly RecordData[]> {
    const requests: Requests = { send: (call) => this.send(call, options) };
    return sendBatch(requests, '/api', (queue) => queue, write as never);
  }
}

/** A reader of the API: all of it, or its turn among requests of which few are under way at once. */
export type Reader = Pick<Api, 'get'>;

/** The status of the response to a request that has failed. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof ApiFailure && 'status' in error.problem ? error.problem.status : undefined;

/** Why the service has refused a request; undefined if it has not, as if it cannot be reached. */
export const problemOf = (error: unknown): ServerProblem | undefined =>
  error instanceof ApiFailure && 'title' in error.problem ? error.problem : undefined;

/** The message of a failure, for people. */
export function messageOf(error: unknown): string {
  const problem = problemOf(error);
  if (problem) return problemText(problem);
  if (error instanceof ApiFailure) return texts.dialog.unreachable;
  // Errors of the browser and of bugs are in English, and say nothing to users.
  return error instanceof Error && error.name === 'Error' ? error.message : texts.dialog.unexpected;
}
