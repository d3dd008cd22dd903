import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Hono } from 'hono';
import { ApiError, uriTooLong } from '../../kernel/model/errors.ts';
import { connectionClosed } from '../../kernel/api/semaphore.ts';
import { maxBodyBytes, maxTargetBytes } from '../../kernel/model/limits.ts';
import type { Env, RequestEnv } from '../../kernel/api/service.ts';
import { TracedResponse } from '../../observability/response.ts';

/** A request to the API, in the place of a tool call. */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With its query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** As JSON. */
  readonly body?: unknown;
}

/** The response of the API. */
export interface ApiResponse {
  readonly status: number;
  readonly etag: string | undefined;
  /** The path of a record that was created. */
  readonly location: string | undefined;
  /** Undefined if it has more than 1 MiB. */
  readonly text: string | undefined;
}

/** Sends requests to the API, as the sender of a request. */
export type Send = (request: ApiRequest) => Promise<ApiResponse>;

/** A response that stays in this process. One over 1 MiB is ended, as if its client had left. */
class HeldResponse extends TracedResponse {
  readonly #chunks: Buffer[] = [];
  readonly #ended = Promise.withResolvers<void>();
  status = 200;
  names: OutgoingHttpHeaders = {};
  size = 0;

  override writeHead(status: number, headers?: unknown): this {
    this.status = status;
    this.names = headers as OutgoingHttpHeaders;
    return this;
  }

  override write(chunk: unknown, encoding?: unknown, callback: unknown = encoding): boolean {
    // The bytes are copied: whoever writes them may free them.
    const bytes = Buffer.from(chunk as Uint8Array);
    this.size += bytes.length;
    if (this.size > maxBodyBytes) this.destroy();
    else this.#chunks.push(bytes);
    if (typeof callback === 'function') callback();
    return !this.destroyed;
  }

  override end(chunk?: unknown): this {
    if (chunk !== undefined) this.write(chunk);
    this.#ended.resolve();
    return this;
  }

  /** Nothing more is written to it. */
  override destroy(error?: Error): this {
    this.destroyed = true;
    if (error && this.size <= maxBodyBytes) this.#ended.reject(error);
    else this.#ended.resolve();
    return this;
  }

  /** The client has left, or the response is read. */
  close(): void {
    // If no text is read, its end is no unhandled rejection.
    this.#ended.promise.catch(() => {});
    Object.defineProperty(this, 'closed', { value: true });
    this.destroy(connectionClosed());
    this.emit('close');
  }

  /** The whole body; undefined if it is over 1 MiB. */
  async text(): Promise<string | undefined> {
    await this.#ended.promise;
    return this.size > maxBodyBytes ? undefined : Buffer.concat(this.#chunks).toString();
  }
}

/** JSON has no infinite numbers: they would be null. @throws ApiError `malformed_json` (400) */
function refuseInfinite(_: string, value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new ApiError('malformed_json', 'A number of the arguments is too large.');
  return value;
}

/** Makes the function that sends requests to the API within this process: with the key, the id and the limits of a request. */
export function senderOf(app: Hono<Env>, env: RequestEnv): Send {
  let sent = 0;
  return async ({ method, path, headers = {}, body }) => {
    if (path.length > maxTargetBytes) throw uriTooLong();
    if (env.outgoing.closed) throw connectionClosed();
    // The first one is that of the message.
    const limited = sent++ > 0 && env.principal.takeRequest();
    if (limited) throw limited;
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body, refuseInfinite));
    const { authorization } = env.incoming.headers;
    const incoming = Object.assign(Readable.from(bytes ? [bytes] : []), {
      method,
      url: path,
      httpVersion: '1.1',
      rawHeaders: [],
      socket: env.incoming.socket,
      headers: {
        ...headers,
        'x-request-id': env.outgoing.requestId,
        ...(authorization !== undefined && { authorization }),
        ...(bytes && { 'content-type': 'application/json', 'content-length': String(bytes.length) }),
      },
    }) as unknown as IncomingMessage;
    const outgoing = new HeldResponse(incoming);
    const close = (): void => outgoing.close();
    env.outgoing.once('close', close);
    try {
      const request = new Request(`http://localhost${path}`, { method });
      const response = await app.fetch(request, { ...env, incoming, outgoing, leave: undefined });
      env.outgoing.code = outgoing.code;
      env.outgoing.replayed = outgoing.replayed;
      if (response === RESPONSE_ALREADY_SENT) {
        const { names, status } = outgoing;
        const { ETag: etag, Location: location } = names as Record<string, string>;
        return { status, etag, location, text: await outgoing.text() };
      }
      const header = (name: string): string | undefined => response.headers.get(name) ?? undefined;
      const { status } = response;
      return { status, etag: header('ETag'), location: header('Location'), text: await response.text() };
    } finally {
      env.outgoing.off('close', close);
      close();
    }
  };
}
