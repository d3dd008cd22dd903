import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { constants, createGzip, gzip, gzipSync } from 'node:zlib';
import type { MaybePromise } from '../model/maybe-promise.ts';
import { chooseCoding } from './codings.ts';

/** Bytes of an answer above which compression pays: a shorter one fits into one packet. */
export const minCompressed = 1_400;

/** A third of the time of zlib's default, for a tenth more bytes. */
const fast = { level: constants.Z_BEST_SPEED };

/** The header of an answer that depends on what the client accepts. */
export const varying = { Vary: 'Accept-Encoding' };

/** The headers of an answer that is compressed. */
export const compressed = { ...varying, 'Content-Encoding': 'gzip' };

/** The last header that was read: nearly all are the same, and to read one takes longer than to send an answer. */
let last = { header: '', isAccepted: false };

/** Whether the client prefers answers that are compressed. Brotli, at a level as fast as this, is no shorter. */
export function acceptsGzip({ headers }: IncomingMessage): boolean {
  const header = headers['accept-encoding'];
  if (header === undefined) return false;
  if (header !== last.header) last = { header, isAccepted: chooseCoding(header, ['gzip']) !== undefined };
  return last.isAccepted;
}

/** Bytes up to which a thread would take longer to be told than to compress: at this length that takes 0.14 ms. */
const maxAtOnce = 131_072;

/** Compresses a short answer. */
export const compressNow = (body: string | Uint8Array): Buffer => gzipSync(body, fast);

/** Compresses a longer answer, by a thread of the system where it would hold up others. */
export const compress = (body: Uint8Array): MaybePromise<Buffer> =>
  body.length <= maxAtOnce ? compressNow(body) : promisify(gzip)(body, fast);

/** Bytes that show how much shorter the rest of an answer becomes. */
const sampleBytes = 16_384;

/** Whether compression makes a long answer much shorter: JSON becomes a tenth, but files in it, in base64, three quarters. */
export function isWorthCompressing(body: Uint8Array): boolean {
  const middle = Math.max(0, Math.floor((body.length - sampleBytes) / 2));
  const sample = body.subarray(middle, middle + sampleBytes);
  return compressNow(sample).length < sample.length / 2;
}

/** Compresses chunks as they come, by a thread of the system. `free` is called with each that is not needed any more. */
export async function* compressAll(
  chunks: AsyncIterable<Uint8Array>,
  free: (chunk: Uint8Array) => void,
): AsyncGenerator<Uint8Array> {
  const coder = createGzip(fast);
  let pieces: Uint8Array[] = [];
  coder.on('data', (piece: Buffer) => pieces.push(piece));
  // Each write is told of a failure; without a listener it would end the process.
  coder.on('error', () => {});
  const take = (): Uint8Array[] => {
    const taken = pieces;
    pieces = [];
    return taken;
  };
  try {
    for await (const chunk of chunks) {
      await new Promise<void>((resolve, reject) => {
        coder.write(chunk, (error) => (error ? reject(error) : resolve()));
      });
      free(chunk);
      yield* take();
    }
    await new Promise<void>((resolve, reject) => {
      coder.once('error', reject).once('end', resolve).end();
    });
    yield* take();
  } finally {
    coder.destroy();
  }
}
