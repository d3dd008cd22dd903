import { retries, timeout } from '../limits.ts';
import { ApiFailure, type Problem } from '../../client/failure.ts';
import { type Call, HttpRequests, isRepeatable, randomKey, type WriteOptions } from '../../client/requests.ts';
import { CliError } from '../../kernel/model/errors.ts';
import { keepTexts, membersOf, printJson } from '../../kernel/values/json-text.ts';

/** A server, and the key that it is asked with. */
export interface Server {
  /** Without a slash at its end. */
  readonly url: string;
  readonly key: string;
}

/** The outcome of a write: `isReplayed` if an earlier request with its key has done it. */
export type Sent<T> =
  | { readonly outcome: 'done'; readonly body: T; readonly isReplayed: boolean }
  | { readonly outcome: 'refused'; readonly problem: Problem };

/** A server has refused a request of a command, or has failed. */
export class Refused extends CliError {
  readonly problem: Problem;

  constructor(path: string, problem: Problem) {
    super(`${path.split('?', 1)[0]}: ${problem.detail} (${problem.code})`);
    this.problem = problem;
  }
}

/** A response that is longer than it was allowed to be. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
}

/** The typed client's requests for commands: more patient, and each failure is an error or an outcome of a command. */
export class Api {
  readonly #url: string;
  readonly #requests: HttpRequests;
  #hasResponded = false;

  constructor({ url, key }: Server) {
    this.#url = url;
    this.#requests = new HttpRequests({ url, key, timeout });
  }

  /**
   * Reads JSON.
   *
   * @param maxBytes how long the response may be
   * @param free the fields of its records whose objects and arrays are kept as they are
   * @throws Refused; CliError if there is no server, or it cannot be reached for two minutes; TooLong
   */
  async get<T extends object>(
    path: string,
    maxBytes = Infinity,
    free: readonly string[] = [],
  ): Promise<{ body: T; bytes: number }> {
    let bytes = 0;
    let pieces: Uint8Array[] = [];
    const limit = new AbortController();
    const count = async (url: string, init: RequestInit): Promise<Response> => {
      bytes = 0;
      pieces = [];
      const response = await this.#fetch(url, init);
      const counter = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          bytes += chunk.length;
          if (free.length > 0) pieces.push(chunk);
          if (bytes > maxBytes) limit.abort(new TooLong(`A response is longer than ${maxBytes} bytes.`));
          controller.enqueue(chunk);
        },
      });
      return new Response(response.body?.pipeThrough(counter), response);
    };
    try {
      const body = await this.#send<T>({ method: 'GET', path }, { signal: limit.signal, fetch: count });
      return { body: free.length > 0 ? withTexts(body, Buffer.concat(pieces).toString(), free) : body, bytes };
    } catch (error) {
      if (error instanceof ApiFailure) throw new Refused(path, error.problem);
      throw error;
    }
  }

  /**
   * Sends a write until it has a response; it is done once, and as one of an import.
   *
   * @throws CliError if there is no server, or it does not respond for two minutes
   */
  async send<T>(method: 'POST' | 'PATCH', path: string, body: unknown, idempotencyKey = randomKey()): Promise<Sent<T>> {
    let isReplayed = false;
    const send = async (url: string, init: RequestInit): Promise<Response> => {
      const response = await this.#fetch(url, { ...init, body: printJson(body) });
      isReplayed = response.headers.has('Idempotency-Replayed');
      return response;
    };
    try {
      const done = await this.#send<T>(
        { method, path, body },
        { fetch: send, idempotencyKey, headers: { Import: 'true' } },
      );
      return { outcome: 'done', body: done, isReplayed };
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      const { problem } = error;
      if ('status' in problem && problem.status >= 300 && problem.status < 500) return { outcome: 'refused', problem };
      throw new Refused(path, problem);
    }
  }

  async #send<T>(call: Call, options: WriteOptions): Promise<T> {
    const hadResponded = this.#hasResponded;
    try {
      // A server that was there comes back; one that never was has another address.
      return await this.#requests.send<T>(call, { ...options, retries: hadResponded ? retries : 0 });
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      if (!this.#hasResponded) {
        const reason = reasonOf(error);
        throw new CliError(`No server responds at ${this.#url} (${reason}). Start it, or name another with --url.`);
      }
      if (!isRepeatable(error)) throw error;
      if (hadResponded) throw new CliError(`${this.#url} does not respond: ${reasonOf(error)}`);
    }
    return this.#send(call, options);
  }

  readonly #fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    this.#hasResponded = true;
    return response;
  };
}

/** Keeps objects and arrays of a record, or of those of a page, as they are. @param json that was parsed */
function withTexts<T extends object>(body: T, json: string, free: readonly string[]): T {
  const records = (body as { readonly data?: readonly Readonly<Record<string, unknown>>[] }).data;
  if (!Array.isArray(records)) return keepTexts(body as Readonly<Record<string, unknown>>, json, free) as T;
  const texts = membersOf(membersOf(json).get('data') as string);
  return { ...body, data: records.map((record, at) => keepTexts(record, texts.get(String(at)) as string, free)) };
}

/** The reason of a failure, as the system names it. */
function reasonOf({ cause, problem }: ApiFailure): string {
  const origin = (cause as Error | undefined)?.cause ?? cause;
  if (!(origin instanceof Error)) return problem.detail;
  return origin.message || ((origin as NodeJS.ErrnoException).code ?? problem.detail);
}
