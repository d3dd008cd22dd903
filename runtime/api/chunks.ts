import type { ServerResponse } from 'node:http';
import type { RequestEnv } from './service.ts';
import type { ItemStream } from '../records/store.ts';
import { callerOf, hold, makeRoom } from './capacity.ts';
import { acceptsGzip, compress, compressAll, compressed, isWorthCompressing, varying } from './compression.ts';

/** Bytes that are written to the socket at a time. */
const sliceBytes = 262_144;

type Headers = Readonly<Record<string, string>>;

type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** JSON that is too long to be held at once. */
export interface ChunkStream {
  readonly start: string;
  readonly chunks: ItemStream;
  readonly end: string;
  /** An estimate of the bytes of a chunk. */
  readonly chunkBytes: number;
}

/**
 * Sends a large answer, in slices, so that it is seen how much of it the client has taken. Its memory is freed when it has
 * left: the bytes must not be used again.
 */
export function sendBytes(env: RequestEnv, status: number, headers: Headers, body: string | Uint8Array): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  hold(env, bytes.length);
  if (acceptsGzip(env.incoming) && isWorthCompressing(bytes)) return void sendCompressed(env, status, headers, bytes);
  env.outgoing.writeHead(status, { ...headers, ...varying, 'Content-Length': bytes.length });
  void send(env.outgoing, [bytes]);
}

async function sendCompressed(env: RequestEnv, status: number, headers: Headers, bytes: Uint8Array): Promise<void> {
  try {
    const shorter = await compress(bytes);
    free(bytes);
    hold(env, shorter.length);
    env.outgoing.writeHead(status, { ...headers, ...compressed, 'Content-Length': shorter.length });
    await send(env.outgoing, [shorter]);
  } catch (error) {
    env.outgoing.destroy(error as Error);
  }
}

/**
 * Streams JSON that is too long to be held at once. The next chunk is read in its turn when the client has taken the last
 * one, however long that takes. The stream ends when the client disconnects.
 */
export function streamChunks(env: RequestEnv, headers: Headers, stream: ChunkStream): void {
  hold(env, stream.chunkBytes);
  const chunks = inTurns(env, stream);
  if (acceptsGzip(env.incoming)) return void streamCompressed(env, headers, chunks);
  env.outgoing.writeHead(200, { ...headers, ...varying });
  void send(env.outgoing, chunks);
}

/** Compresses if the first chunk of records becomes much shorter: the others are like it. */
async function streamCompressed(env: RequestEnv, headers: Headers, chunks: AsyncGenerator<Uint8Array>): Promise<void> {
  try {
    const [start, first] = [await chunks.next(), await chunks.next()];
    const all = inOrder([start, first], chunks);
    const isShorter = first.done !== true && isWorthCompressing(first.value);
    env.outgoing.writeHead(200, { ...headers, ...(isShorter ? compressed : varying) });
    await send(env.outgoing, isShorter ? compressAll(all, free) : all);
  } catch (error) {
    env.outgoing.destroy(error as Error);
  }
}

/** The chunks that were already read, then the others. */
async function* inOrder(
  read: readonly IteratorResult<Uint8Array>[],
  others: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    for (const { done, value } of read) if (done !== true) yield value as Uint8Array;
    yield* others;
  } finally {
    await others.return(undefined);
  }
}

async function* inTurns(env: RequestEnv, { start, chunks, end, chunkBytes }: ChunkStream): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  const next = (): Promise<IteratorResult<Uint8Array | number>> => iterator.next();
  /** Bytes of a long record that are held, and not taken yet. */
  let left = 0;
  try {
    yield Buffer.from(start);
    for (;;) {
      const work = Math.max(chunkBytes, left);
      const { done, value } = await env.capacity.answers.run(callerOf(env, Infinity), work, next);
      if (done) break;
      if (typeof value === 'number') {
        left = value;
        await makeRoom(env, value, Infinity);
        continue;
      }
      hold(env, Math.max(chunkBytes, left, value.length));
      // A record in one piece, or one of several.
      left = value.length > sliceBytes ? 0 : left - value.length;
      yield value;
    }
    yield Buffer.from(end);
  } finally {
    await iterator.return?.();
  }
}

/** Frees the memory of bytes at once, not by the garbage collector. */
function free(bytes: Uint8Array): void {
  // Node's small buffers share one.
  if (bytes.length === bytes.buffer.byteLength) (bytes.buffer as ArrayBuffer).transfer(0);
}

/** Writes chunks and ends the response. The memory of a chunk is freed when it is written. */
async function send(outgoing: ServerResponse, chunks: Chunks): Promise<void> {
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += sliceBytes) await write(outgoing, chunk.subarray(at, at + sliceBytes));
      free(chunk);
    }
    outgoing.end();
  } catch (error) {
    // The headers are sent: only a broken connection can tell that the body is incomplete.
    outgoing.destroy(error as Error);
  }
}

/** Resolves when the operating system has the bytes. */
const write = (outgoing: ServerResponse, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    if (outgoing.destroyed) reject(new Error('The client has disconnected.'));
    else outgoing.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
