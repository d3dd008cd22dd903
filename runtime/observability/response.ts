import { randomBytes } from 'node:crypto';
import { type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** The request ids that are taken over from callers: what can stand in a header, a log and a URL as it is. */
const safeId = /^[\w.:-]{1,64}$/;

// Unguessable ids would cost 1 µs a request; these only have to be different.
const prefix = randomBytes(6).toString('base64url').replaceAll(/[-_]/g, 'x');
let made = 0;

export const newRequestId = (): string => `${prefix}-${(++made).toString(36)}`;

/** The part of an API key that the log and the headers of a response show. JSON escapes no character of it. */
export interface RequestKey {
  /** The id in the key table; undefined for a key of `API_KEYS`. */
  readonly keyId: string | undefined;
  readonly organization: number;
  /** The rate limit as its headers say it. */
  readonly limit: { readonly policy: string; readonly state: string } | undefined;
}

/** A response that carries its request id: the `X-Request-Id` of the request if that is safe, otherwise a new one. */
export class TracedResponse extends ServerResponse<IncomingMessage> {
  /** As of `performance.now()`. */
  readonly startedAt = performance.now();
  /** Bytes of the body that were handed to the connection. */
  bytes = 0;
  /** The path of the request's route, with its parameters: `/api/crm/lead/:id`. Set when the request is routed. */
  pattern: string | undefined;
  /** The error code of a problem. */
  code: string | undefined;
  /** Headers for scripts of other origins, as names and values in turn. */
  cors: readonly string[] | undefined;
  /** Set when the key is known. */
  principal: RequestKey | undefined;
  /** Whether it is the response to an earlier request with the same `Idempotency-Key`. */
  replayed = false;
  #requestId: string | undefined;

  get requestId(): string {
    if (this.#requestId === undefined) {
      const sent = this.req.headers['x-request-id'];
      this.#requestId = typeof sent === 'string' && safeId.test(sent) ? sent : newRequestId();
    }
    return this.#requestId;
  }

  /** @param headers an object: of the forms that Node allows, the only one that it and the listener use */
  override writeHead(status: number, headers?: unknown): this {
    // The connection has responded: the client was too late with the rest of the body.
    if (this.writableEnded) return this;
    const { req } = this;
    // To read the rest of a chunked body only to discard it may take Node seconds; what comes after a close costs nothing.
    if (!req.complete && req.headers['transfer-encoding'] !== undefined) this.shouldKeepAlive = false;
    const given = headers as OutgoingHttpHeaders | undefined;
    // A list: an object with one more property would take four times as long.
    const all: (string | number | string[] | undefined)[] = ['X-Request-Id', this.requestId];
    for (const name in given) all.push(name, given[name]);
    all.push('X-Content-Type-Options', 'nosniff');
    // Records are private, and change: only files for browsers say otherwise. The listener may have written the name in lower case.
    if (given?.['Cache-Control'] === undefined && given?.['cache-control'] === undefined) {
      all.push('Cache-Control', 'no-store');
    }
    if (this.replayed) all.push('Idempotency-Replayed', 'true');
    if (this.cors) all.push(...this.cors);
    const limit = this.principal?.limit;
    if (limit) all.push('RateLimit-Policy', limit.policy, 'RateLimit', limit.state);
    return super.writeHead(status, all as OutgoingHttpHeader[]);
  }

  override write(chunk: unknown, encoding?: unknown, callback?: unknown): boolean {
    this.#count(chunk);
    return super.write(chunk, encoding as BufferEncoding, callback as () => void);
  }

  override end(chunk?: unknown, encoding?: unknown, callback?: unknown): this {
    this.#count(chunk);
    return super.end(chunk, encoding as BufferEncoding, callback as () => void);
  }

  /** To a HEAD request, Node sends no body. */
  #count(chunk: unknown): void {
    if (this.req.method === 'HEAD') return;
    if (typeof chunk === 'string') this.bytes += Buffer.byteLength(chunk);
    else if (chunk instanceof Uint8Array) this.bytes += chunk.length;
  }
}
