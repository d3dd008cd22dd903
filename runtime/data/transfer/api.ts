import { setTimeout as wait } from 'node:timers/promises';
import { CliError } from '../../model/errors.ts';
import { shorten } from '../../model/text.ts';

/** A server, and the key that it is asked with. */
export interface Server {
  /** Without a slash at its end. */
  readonly url: string;
  readonly key: string;
}

/** The body of an answer that is not 2xx (RFC 9457). */
export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly { readonly pointer: string; readonly message: string }[];
  readonly errors_omitted?: number;
  /** Of a batch, the place of the operation that failed. */
  readonly operation?: number;
}

/** What became of a write: `unknown` if nobody can say whether it was done, for the reason in `cause`. */
export type Sent<T> =
  | { readonly outcome: 'done'; readonly body: T }
  | { readonly outcome: 'refused'; readonly problem: Problem }
  | { readonly outcome: 'unknown'; readonly cause: string };

/** A server has refused what a command asks for. */
export class Refused extends CliError {
  readonly problem: Problem;

  constructor(path: string, problem: Problem) {
    super(`${path.split('?', 1)[0]}: ${problem.detail} (${problem.code || problem.status})`);
    this.problem = problem;
  }
}

/** An answer that is longer than it was allowed to be. */
export class TooLong extends Error {
  override readonly name = 'TooLong';
}

/** Milliseconds for which a server may be unreachable or overloaded until a command gives up. */
const patience = 120_000;

/** Milliseconds for an answer: a server gives up work after 15 s, and slow lines need time to carry it. */
const answerTimeout = 300_000;

/** Nothing was sent where the connection could not be opened. */
const unsent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** No server is there; other errors of a connection may pass. */
const absent = new Set(['ECONNREFUSED', 'ENOTFOUND']);

/** Requests to the API of a server, which are repeated where that changes nothing. */
export class Api {
  readonly #server: Server;
  #time: number | undefined;
  #hasAnswered = false;

  constructor(server: Server) {
    this.#server = server;
  }

  /** The clock of the server at its latest answer, in milliseconds but to the second; undefined where it has not told it. */
  get time(): number | undefined {
    return this.#time;
  }

  /**
   * Reads JSON.
   *
   * @param maxBytes how long the answer may be
   * @throws Refused; CliError if there is no server, or it cannot be reached for two minutes; TooLong
   */
  async get<T>(path: string, maxBytes = Infinity): Promise<{ body: T; bytes: number }> {
    return this.#patiently(async () => {
      const response = await this.#fetch('GET', path);
      const text = await readText(response, maxBytes);
      if (response.ok) return { body: JSON.parse(text) as T, bytes: text.length };
      const problem = problemOf(response, text);
      if (response.status === 429 || response.status >= 500) return new Retry(problem.detail, response);
      throw new Refused(path, problem);
    });
  }

  /**
   * Sends a write once; again only where it was certainly not done.
   *
   * @throws CliError if there is no server, or that lasts for two minutes
   */
  async send<T>(method: 'POST' | 'PATCH', path: string, json: string): Promise<Sent<T>> {
    return this.#patiently(async () => {
      let response: Response;
      let text: string;
      try {
        response = await this.#fetch(method, path, json);
        text = await readText(response, Infinity);
        if (response.ok) return { outcome: 'done', body: JSON.parse(text) as T };
      } catch (error) {
        if (unsent.has(codeOf(error))) throw error;
        return { outcome: 'unknown', cause: describe(error) };
      }
      const problem = problemOf(response, text);
      if (problem.code === 'rate_limited' || problem.code === 'overloaded') return new Retry(problem.detail, response);
      if (response.status >= 500) return { outcome: 'unknown', cause: problem.detail };
      return { outcome: 'refused', problem };
    });
  }

  async #fetch(method: string, path: string, json?: string): Promise<Response> {
    const { url, key } = this.#server;
    const response = await fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${key}`, ...(json !== undefined && { 'Content-Type': 'application/json' }) },
      ...(json !== undefined && { body: json }),
      // Followed, a redirected POST would become a GET, whose answer is no record.
      redirect: 'manual',
      signal: AbortSignal.timeout(answerTimeout),
    });
    this.#hasAnswered = true;
    const time = Date.parse(response.headers.get('Date') ?? '');
    if (!Number.isNaN(time)) this.#time = time;
    return response;
  }

  /** Tries until there is a result, or patience ends. */
  async #patiently<T>(attempt: () => Promise<T | Retry>): Promise<T> {
    const end = performance.now() + patience;
    for (let pause = 250; ; pause = Math.min(pause * 2, 5_000)) {
      let reason: string;
      let seconds = 0;
      try {
        const result = await attempt();
        if (!(result instanceof Retry)) return result;
        ({ reason, seconds } = result);
      } catch (error) {
        if (error instanceof CliError || error instanceof TooLong) throw error;
        reason = describe(error);
        // A server that was there comes back; one that never was has another address.
        if (!this.#hasAnswered && absent.has(codeOf(error))) {
          throw new CliError(
            `No server answers at ${this.#server.url} (${reason}). Start it, or name another with --url.`,
          );
        }
      }
      const delay = Math.max(pause, seconds * 1_000);
      if (performance.now() + delay > end) throw new CliError(`${this.#server.url} does not answer: ${reason}`);
      await wait(delay);
    }
  }
}

/** A request that was not done, and may be sent again. */
class Retry {
  readonly reason: string;
  readonly seconds: number;

  constructor(reason: string, response: Response) {
    this.reason = reason;
    this.seconds = Number(response.headers.get('Retry-After')) || 0;
  }
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  if (maxBytes === Infinity) return response.text();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    // Leaving the loop closes the connection.
    if (length > maxBytes) throw new TooLong(`An answer is longer than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function problemOf(response: Response, text: string): Problem {
  try {
    const problem = JSON.parse(text) as Partial<Problem>;
    if (typeof problem.detail === 'string') return { code: '', ...problem, status: response.status } as Problem;
  } catch {
    // A proxy has answered.
  }
  return {
    status: response.status,
    code: '',
    detail: `The answer is ${response.status}: ${shorten(text.trim(), 200)}`,
  };
}

const codeOf = (error: unknown): string => ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code ?? '';

const describe = (error: unknown): string => {
  const { message, cause } = error as Error;
  return cause instanceof Error ? cause.message || codeOf(error) : message;
};
