import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip, gzipSync } from 'node:zlib';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, TypedResponse } from 'hono';
import { etagOf } from '../model/etag.ts';
import { maxBodyBytes, maxHeaderBytes } from '../model/limits.ts';
import type { Env, RequestEnv } from './service.ts';
import { maxPageBytes } from '../records/limits.ts';
import type { Json, StoredRecord } from '../records/store.ts';
import type { ItemStream } from '../records/page.ts';
import { enter, ownTurn, tryEnter } from './capacity.ts';
import { isKnown } from './preconditions.ts';
import { largeBytes, minCompressed, sliceBytes } from './limits.ts';

/** A third of the time of zlib's default, for a tenth more bytes. */
const fast = { level: constants.Z_BEST_SPEED };

/** The header of a response that depends on what the client accepts. */
export const varying = { Vary: 'Accept-Encoding' };

/** The headers of a response that is compressed. */
export const compressed = { ...varying, 'Content-Encoding': 'gzip' };

/** A content coding with a weight over 0 (RFC 9110, 12.4.2). */
const accepted = (coding: string): RegExp =>
  new RegExp(
    String.raw`(?:^|,)[ \t]*${coding}[ \t]*(?:,|$|;[ \t]*q=(?:1(?:\.0{0,3})?|0\.(?=\d*[1-9])\d{1,3})[ \t]*(?:,|$))`,
    'i',
  );

const codings = { br: accepted('br'), gzip: accepted('gzip') };

/** Whether a client accepts a content coding. */
export const accepts = (
  { headers: { 'accept-encoding': header } }: Pick<IncomingMessage, 'headers'>,
  coding: keyof typeof codings,
): boolean => header !== undefined && codings[coding].test(header);

/** Whether the client accepts gzip. Brotli, at a level as fast as that of responses, is no shorter. */
export const acceptsGzip = (incoming: Pick<IncomingMessage, 'headers'>): boolean => accepts(incoming, 'gzip');

/** A response whose JSON is a `T`, so that a typed client knows it. */
export type JsonResponse<T, Status extends 200 | 201 = 200> = Response & TypedResponse<T, Status, 'json'>;

type Headers = Readonly<Record<string, string>>;

/** JSON that is too long to be held at once. */
interface ChunkStream {
  readonly start: string;
  readonly chunks: ItemStream;
  readonly end: string;
  /** Whether it shrinks: files in base64 hardly do. */
  readonly isCompressible: boolean;
}

/** The JSON of a response; that of a stored record has its ETag. */
export type Body = Json | ChunkStream | StoredRecord;

const isRecord = (body: Body): body is StoredRecord => typeof body === 'object' && 'version' in body;

const isStream = (body: Body): body is ChunkStream => typeof body === 'object' && 'chunks' in body;

/** The bytes of JSON, or its shorter length if that is enough to know that they are not over the limit. */
const bytesUpTo = (limit: number, json: Json): number =>
  // A string has no more than three bytes for each of its units.
  typeof json === 'string' && json.length > limit / 3 ? Buffer.byteLength(json) : json.length;

const bytesOf = (body: Body): number => {
  if (isStream(body)) return maxPageBytes;
  return bytesUpTo(largeBytes, isRecord(body) ? body.json : body);
};

/** Bytes of JSON that were made in this turn of the event loop: 1 MiB takes some milliseconds. */
let made = 0;

/** Notes JSON that was made in this turn. */
export function noteMade(bytes: number): void {
  if (made === 0) setImmediate(() => (made = 0));
  made += bytes;
}

/** Whether this turn of the event loop has done enough: more work should wait for the next one. */
export const isTurnFull = (): boolean => made > maxBodyBytes;

export const jsonHeaders = { 'Content-Type': 'application/json' };

/** Responds with JSON; 304 if the client has this version of the record. @throws ApiError `invalid_header` (400) */
export function respond<T, Status extends 200 | 201 = 200>(
  { env }: Context<Env>,
  body: Body,
  status: 200 | 201 = 200,
  headers: Record<string, string> = jsonHeaders,
): JsonResponse<T, Status> {
  if (isRecord(body)) {
    const { method, headers: sent } = env.incoming;
    const tags = sent['if-none-match'];
    const ETag = etagOf(body.version);
    if (tags !== undefined && (method === 'GET' || method === 'HEAD') && isKnown(ETag, tags)) {
      env.leave?.();
      return new Response(null, { status: 304, headers: { ETag } }) as JsonResponse<T, Status>;
    }
    return respond({ env } as Context<Env>, body.json, status, { ...headers, ETag });
  }
  const length = bytesOf(body);
  if (length > maxHeaderBytes) noteMade(length);
  if (length <= largeBytes) {
    env.leave?.();
    return respondShort(env, body as Json, status, headers) as JsonResponse<T, Status>;
  }
  respondLong(env, body, status, headers).catch((error: Error) => env.outgoing.destroy(error));
  return RESPONSE_ALREADY_SENT as JsonResponse<T, Status>;
}

function respondShort({ incoming }: RequestEnv, body: Json, status: number, headers: Headers): Response {
  if (bytesUpTo(minCompressed, body) <= minCompressed) return new Response(body as string, { status, headers });
  return acceptsGzip(incoming)
    ? new Response(gzipSync(body, fast), { status, headers: { ...headers, ...compressed } })
    : new Response(body as string, { status, headers: { ...headers, ...varying } });
}

/**
 * Sends a response in slices, each when the client has taken the last one. Its memory is freed when it has left: the bytes must
 * not be used again. If it fails, only a broken connection can tell that the body is incomplete.
 */
async function respondLong(env: RequestEnv, body: Json | ChunkStream, status: number, headers: Headers): Promise<void> {
  const { incoming, outgoing } = env;
  const bytes = isStream(body) ? undefined : typeof body === 'string' ? Buffer.from(body) : body;
  // A longer record has files, which hardly shrink.
  const isCompressible = isStream(body) ? body.isCompressible : (bytes as Buffer).length <= maxPageBytes;
  const isCompressed = isCompressible && acceptsGzip(incoming);
  const length = bytes && !isCompressed && { 'Content-Length': bytes.length };
  outgoing.writeHead(status, { ...headers, ...(isCompressed ? compressed : varying), ...length });
  // No HEAD is worth the rest.
  if (incoming.method === 'HEAD') return void outgoing.end();
  const chunks = isStream(body) ? chunksOf(body) : [bytes as Buffer];
  if (!isCompressed) return send(outgoing, chunks);
  return pipeline(chunks, createGzip(fast), (shorter) => send(outgoing, shorter));
}

async function* chunksOf({ start, chunks, end }: ChunkStream): AsyncGenerator<Uint8Array> {
  yield Buffer.from(start);
  yield* chunks;
  yield Buffer.from(end);
}

/** Writes chunks and ends the response. The memory of a chunk is freed when it is written, not by the garbage collector. */
export async function send(
  outgoing: ServerResponse,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += sliceBytes) await write(outgoing, chunk.subarray(at, at + sliceBytes));
    // Node's small buffers share one.
    if (chunk.length === chunk.buffer.byteLength) (chunk.buffer as ArrayBuffer).transfer(0);
  }
  outgoing.end();
}

/** Resolves when the operating system has the bytes, in another turn of the event loop: a fast client keeps no others waiting. */
const write = (outgoing: ServerResponse, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    if (outgoing.destroyed) reject(new Error('The client has disconnected.'));
    else outgoing.write(bytes, (error) => (error ? reject(error) : setImmediate(resolve)));
  });

/**
 * Responds to a read: at once, or in its turn if the response may be large or this turn of the event loop has done enough.
 *
 * @param most the bytes that the response may have
 * @param read is called again, in its turn, for a large response that finds no room: nothing is held meanwhile
 */
export async function respondRead<T>(
  c: Context<Env>,
  most: number,
  isLarge: boolean,
  read: () => Promise<Body>,
): Promise<JsonResponse<T>> {
  if (!isLarge && !isTurnFull()) {
    let body: Body | undefined = await read();
    const bytes = bytesOf(body);
    if (bytes <= largeBytes || tryEnter(c.env, bytes)) return respond<T>(c, body);
    // Not held while this waits.
    body = undefined;
  }
  await enter(c.env, most);
  await ownTurn();
  return respond<T>(c, await read());
}
