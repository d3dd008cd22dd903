import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, TypedResponse } from 'hono';
import { andThen, type MaybePromise } from '../model/maybe-promise.ts';
import type { Table } from '../model/table.ts';
import type { Env, RequestEnv } from './service.ts';
import { type Json, maxPageBytes } from '../records/store.ts';
import { callerOf, clientOf, largeBytes, makeRoom } from './capacity.ts';
import { type ChunkStream, sendBytes, streamChunks } from './chunks.ts';
import { acceptsGzip, compressed, compressNow, minCompressed, varying } from './compression.ts';

/** A response whose JSON is a `T`, so that a typed client knows it. */
export type JsonResponse<T, Status extends 200 | 201 = 200> = Response & TypedResponse<T, Status, 'json'>;

/** Bytes of an answer that are counted as work of this turn of the event loop. */
const notedBytes = 16_384;

/** Bytes that a record or a short page is counted for before it is read, where it waits for its turn. */
const unreadBytes = 262_144;

type Headers = Readonly<Record<string, string>>;

/** The JSON of an answer. */
export type Body = Json | ChunkStream;

/** Reads a response body. If it is a record of more bytes than these, it may return how many may be enough instead. */
type Read = (maxBytes: number) => MaybePromise<Body | number>;

const isStream = (body: Body): body is ChunkStream => typeof body === 'object' && 'chunks' in body;

/** The bytes of JSON, or its shorter length where that is enough to know that they are not over the limit. */
const bytesUpTo = (limit: number, json: Json): number =>
  // A string has no more than three bytes for each of its units.
  typeof json === 'string' && json.length > limit / 3 ? Buffer.byteLength(json) : json.length;

/** Bytes that an answer holds at once. */
const heldBytes = (body: Body): number => (isStream(body) ? body.chunkBytes : bytesUpTo(largeBytes, body));

export const jsonHeaders = { 'Content-Type': 'application/json' };

/** Answers with JSON that is there. */
export function respond<T, Status extends 200 | 201 = 200>(
  { env }: Context<Env>,
  body: Body,
  status: 200 | 201 = 200,
  headers: Record<string, string> = jsonHeaders,
): JsonResponse<T, Status> {
  const length = heldBytes(body);
  if (length > notedBytes) env.capacity.answers.note(length);
  if (length <= largeBytes) return respondShort(env, body as Json, status, headers) as JsonResponse<T, Status>;
  if (env.incoming.method === 'HEAD') return respondHead(env, body, status, headers) as JsonResponse<T, Status>;
  if (isStream(body)) streamChunks(env, headers, body);
  else sendBytes(env, status, headers, body);
  return RESPONSE_ALREADY_SENT as JsonResponse<T, Status>;
}

function respondShort({ incoming }: RequestEnv, body: Json, status: number, headers: Headers): Response {
  if (bytesUpTo(minCompressed, body) <= minCompressed) return new Response(body as string, { status, headers });
  return acceptsGzip(incoming)
    ? new Response(compressNow(body), { status, headers: { ...headers, ...compressed } })
    : new Response(body as string, { status, headers: { ...headers, ...varying } });
}

/** The length of what would be compressed or streamed is only known when it is made, which no HEAD is worth. */
function respondHead({ incoming }: RequestEnv, body: Body, status: number, headers: Headers): Response {
  const isKnown = !isStream(body) && !acceptsGzip(incoming);
  const length = isKnown ? { 'Content-Length': String(Buffer.byteLength(body as string)) } : undefined;
  return new Response(null, { status, headers: { ...headers, ...varying, ...length } });
}

/**
 * Answers a read: at once, or in its turn where the answer may be large or this turn of the event loop has done enough.
 *
 * @param bytes the memory to reserve for an answer that may be large; 0 for others
 * @param read is called again where a large answer finds no room, or was too long: then it returns the bytes that may be enough
 */
export function answerRead<T>(c: Context<Env>, table: Table, bytes: number, read: Read): MaybePromise<JsonResponse<T>> {
  if (bytes > 0 || c.env.capacity.answers.isTurnOver) return answerInTurn(c, table, bytes, read);
  return andThen(read(maxPageBytes), (body) => respondWithin<T>(c, table, body, read));
}

async function answerInTurn<T>(c: Context<Env>, table: Table, bytes: number, read: Read): Promise<JsonResponse<T>> {
  if (bytes > 0) await makeRoom(c.env, bytes);
  const { answers } = c.env.capacity;
  const work = (): MaybePromise<Body | number> => read(Math.max(bytes, maxPageBytes));
  return respondWithin<T>(c, table, await answers.run(callerOf(c.env), Math.max(bytes, unreadBytes), work), read);
}

/** Answers with what was read if it fits; otherwise reads it again when it does, so that nothing is held meanwhile. */
function respondWithin<T>(
  c: Context<Env>,
  table: Table,
  body: Body | number,
  read: Read,
): MaybePromise<JsonResponse<T>> {
  const { capacity, reservation } = c.env;
  if (typeof body === 'number') {
    // The engine may have built the record before it knew that it is too long.
    capacity.answers.note(body);
    return answerInTurn(c, table, body, read);
  }
  const bytes = heldBytes(body);
  const own = reservation?.bytes ?? 0;
  const isHeld = bytes <= Math.max(largeBytes, own) || capacity.memory.fits(clientOf(c.env), bytes - own, own);
  if (isHeld) return respond<T>(c, body);
  capacity.answers.note(bytes);
  return answerInTurn(c, table, Math.max(bytes, capacity.estimate(table)), read);
}
