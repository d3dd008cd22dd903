import type { ServerResponse } from 'node:http';
import type { MaybePromise } from '../maybe-promise.ts';
import type { RequestEnv } from '../service.ts';
import { callerOf, hold } from './capacity.ts';

/** Bytes that are written to the socket at a time. */
const sliceBytes = 262_144;

export type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** JSON that is too long to be held at once. */
export interface ChunkStream {
  readonly start: string;
  readonly chunks: Chunks;
  readonly end: string;
  /** An estimate of the bytes of a chunk. */
  readonly chunkBytes: number;
}

/**
 * Sends a large answer, in slices, so that it is seen how much of it the client has taken. Its memory is freed when it has
 * left: the bytes must not be used again.
 */
export function sendBytes(
  env: RequestEnv,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string | Uint8Array,
): void {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  hold(env, bytes.length);
  env.outgoing.writeHead(status, { ...headers, 'Content-Length': bytes.length });
  void send(env.outgoing, [bytes]);
}

/**
 * Streams JSON that is too long to be held at once. The next chunk is read in its turn when the client has taken the last
 * one, however long that takes. The stream ends when the client disconnects.
 */
export function streamChunks(env: RequestEnv, stream: ChunkStream): void {
  env.outgoing.writeHead(200, { 'Content-Type': 'application/json' });
  void send(env.outgoing, inTurns(env, stream));
}

async function* inTurns(env: RequestEnv, { start, chunks, end, chunkBytes }: ChunkStream): AsyncGenerator<Uint8Array> {
  const iterator = Symbol.iterator in chunks ? chunks[Symbol.iterator]() : chunks[Symbol.asyncIterator]();
  const next = (): MaybePromise<IteratorResult<Uint8Array>> => iterator.next();
  try {
    yield Buffer.from(start);
    for (;;) {
      const { done, value } = await env.capacity.answers.run(
        { ...callerOf(env), patience: Infinity },
        chunkBytes,
        next,
      );
      if (done) break;
      hold(env, Math.max(chunkBytes, value.length));
      yield value;
    }
    yield Buffer.from(end);
  } finally {
    await iterator.return?.();
  }
}

/** Writes chunks and ends the response. The memory of a chunk is freed at once, not by the garbage collector. */
async function send(outgoing: ServerResponse, chunks: Chunks): Promise<void> {
  try {
    for await (const chunk of chunks) {
      for (let at = 0; at < chunk.length; at += sliceBytes) await write(outgoing, chunk.subarray(at, at + sliceBytes));
      // Node's small buffers share one.
      if (chunk.length === chunk.buffer.byteLength) (chunk.buffer as ArrayBuffer).transfer(0);
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
