import { isDeepStrictEqual } from 'node:util';
import { Agent, request as send } from 'node:http';

import type { Stored } from '../support/records.ts';
import { type TestServer, testKey } from '../support/server.ts';
import { type Request, timeOf } from './lane.ts';

interface Answer {
  readonly status: number;
  readonly headers: readonly string[];
  readonly text: string;
}

/** A request with different answers of two servers. */
export interface Difference {
  readonly request: Request;
  readonly answers: readonly [Answer, Answer];
}

// Not begun within a word: a long one would be gone through once for each of its letters.
const idPattern = /(?<![a-z_])[a-z_]+_[0-9A-HJKMNP-TV-Z]{26}/g;
// In words, a long text is cut.
const cutId = /_[0-9A-HJKMNP-TV-Z]{1,26}…/g;
const timesIn = /"((?:created|updated)_at)":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/g;
const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Two servers that get the same requests, each with its own ids and times in them. */
export class Pair {
  readonly #servers: readonly [TestServer, TestServer];
  readonly #agents = [agent(), agent()] as const;
  /** The ids of the second server by those of the first. */
  readonly #ids = new Map<string, string>();
  /** The times of the records, as answered last. */
  readonly #times = [new Map<string, Stored>(), new Map<string, Stored>()] as const;

  constructor(servers: readonly [TestServer, TestServer]) {
    this.#servers = servers;
  }

  /** Sends a request to both. @returns the first one's status and JSON, or how the answers differ. */
  async ask(request: Request): Promise<{ status: number; body: unknown } | Difference> {
    const [first, second] = await Promise.all([this.#send(0, request), this.#send(1, request)]);
    const bodies = [parse(first), parse(second)] as const;
    bodies.forEach((body, side) => this.#noteTimes(side as 0 | 1, body));
    if (request.method === 'POST') this.#match(...bodies);
    const same =
      first.status === second.status &&
      isDeepStrictEqual(this.#headers(0, first), this.#headers(1, second)) &&
      (this.#text(0, first) === this.#text(1, second) ||
        isDeepStrictEqual(this.#comparable(0, parse(first, spelt)), this.#comparable(1, parse(second, spelt))));
    return same ? { status: first.status, body: bodies[0] } : { request, answers: [first, second] };
  }

  /** Matches the ids of a record that both servers have made. */
  async matchOnly(path: string): Promise<unknown> {
    const answers = await Promise.all([0, 1].map((side) => this.#send(side as 0 | 1, { method: 'GET', path })));
    const bodies = answers.map((answer) => parse(answer)) as [unknown, unknown];
    bodies.forEach((body, side) => this.#noteTimes(side as 0 | 1, body));
    this.#match(...bodies);
    return bodies[0];
  }

  close(): void {
    for (const one of this.#agents) one.destroy();
  }

  #match(first: unknown, second: unknown): void {
    if (isRecord(first) && isRecord(second) && !this.#ids.has(first.id)) this.#ids.set(first.id, second.id);
  }

  #noteTimes(side: 0 | 1, body: unknown): void {
    if (isRecord(body) && 'created_at' in body) this.#times[side].set(body.id, body);
  }

  /** A text of the first server in the words of the given one. */
  #translated(side: 0 | 1, text: string): string {
    return side === 0 ? text : text.replaceAll(idPattern, (id) => this.#ids.get(id) ?? id);
  }

  #send(side: 0 | 1, { method, path, body, headers, times }: Request): Promise<Answer> {
    let content = body;
    if (typeof content === 'string') {
      content = this.#translated(side, content);
      const known = times === undefined ? undefined : this.#times[side].get(this.#translated(side, times));
      for (const name of ['created_at', 'updated_at'] as const) {
        if (known) content = content.replace(timeOf(name), String(known[name]));
      }
    }
    return new Promise((resolve, reject) => {
      const outgoing = send(
        {
          agent: this.#agents[side],
          host: '127.0.0.1',
          port: this.#servers[side].port,
          method,
          path: this.#translated(side, path),
          headers: {
            authorization: `Bearer ${testKey}`,
            ...(content === undefined ? {} : { 'content-length': Buffer.byteLength(content) }),
            ...headers,
          },
        },
        (incoming) => {
          let text = '';
          incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
          incoming.on('error', reject).on('end', () => {
            resolve({ status: incoming.statusCode ?? 0, headers: incoming.rawHeaders, text });
          });
        },
      );
      outgoing.on('error', reject).end(content);
    });
  }

  /** The headers in their order, with the second server's ids. */
  #headers(side: 0 | 1, { headers }: Answer): string[] {
    return headers.map((text, at) => {
      const name = (headers[at - (at % 2)] ?? '').toLowerCase();
      // Which pages are long enough for pieces is up to the engine.
      if (name === 'content-length' || name === 'transfer-encoding') return 'a length';
      if (at % 2 === 1 && (name === 'date' || name === 'x-request-id')) return 'its own';
      return this.#translatedAnswer(side, text);
    });
  }

  /** The text with the second server's ids, and without times. */
  #text(side: 0 | 1, { text }: Answer): string {
    return this.#translatedAnswer(side, text).replaceAll(timesIn, '"$1":"a time"');
  }

  /** The same of parsed JSON, in which strings can be told from the names of fields. */
  #comparable(side: 0 | 1, value: unknown, name = ''): unknown {
    if (typeof value === 'string') {
      if (name === 'request_id') return 'its own';
      return timePattern.test(value) && name.endsWith('ed_at') ? 'a time' : this.#translatedAnswer(side, value);
    }
    if (Array.isArray(value)) return value.map((one) => this.#comparable(side, one));
    if (typeof value !== 'object' || value === null) return value;
    // As pairs, for the order of the keys counts.
    return Object.entries(value).map(([key, one]) => [key, this.#comparable(side, one, key)]);
  }

  #translatedAnswer(side: 0 | 1, text: string): string {
    return (side === 1 ? text : this.#translated(1, text)).replaceAll(cutId, '_…');
  }
}

const agent = (): Agent => new Agent({ keepAlive: true });

const isRecord = (body: unknown): body is Stored =>
  typeof body === 'object' && body !== null && 'id' in body && typeof body.id === 'string';

/** A number as it was written, which the engines do alike. */
const spelt = (_: string, value: unknown, { source }: { source?: string }): unknown =>
  typeof value === 'number' ? { number: source } : value;

function parse(
  { text }: Answer,
  reviver?: (key: string, value: unknown, context: { source?: string }) => unknown,
): unknown {
  try {
    return JSON.parse(text, reviver as Parameters<typeof JSON.parse>[1]) as unknown;
  } catch {
    return undefined;
  }
}
