import type { IncomingMessage } from 'node:http';
import { ApiError } from '../model/errors.ts';
import type { RequestEnv } from './service.ts';
import { hold, reserve } from './capacity.ts';

/** Bytes above which a body is counted while it is read: of a shorter one on every connection little is held. */
const countedBytes = 16_384;

/** Bytes that the chunks of a body must have on average: Node takes as long for one as for kilobytes. */
const minChunkBytes = 32;

/** Very small chunks that may come before the average counts. */
const smallChunks = 1_000;

/** The limits of a body: its bytes, and its members and array entries together. */
export interface BodyLimits {
  readonly bytes: number;
  readonly values: number;
}

export const tooLarge = (limit: number): ApiError =>
  new ApiError('body_too_large', `The body is larger than the limit of ${limit} bytes.`);

const chunksTooSmall = (): ApiError =>
  new ApiError('bad_request', `The chunks of a body must have at least ${minChunkBytes} bytes on average.`);

/**
 * Collects the bytes of a body in one buffer: as chunks, bytes that are sent one by one would take a hundred times their
 * memory.
 *
 * @param length the bytes to expect, for which memory is reserved; 0 if it is not known
 */
function collect(env: RequestEnv, limit: number, length: number): Promise<Buffer> {
  const { incoming } = env;
  const isChunked = incoming.headers['transfer-encoding'] !== undefined;
  return new Promise((resolve, reject) => {
    let bytes: Buffer | undefined;
    let size = 0;
    /** Bytes that the chunks so far have too few. */
    let missing = 0;
    const refuse = (error: unknown): void => {
      bytes = undefined;
      incoming.off('data', onData).pause();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      const before = size;
      size += chunk.length;
      if (size > limit) return refuse(tooLarge(limit));
      missing = Math.max(0, missing + minChunkBytes - chunk.length);
      if (isChunked && missing > smallChunks * minChunkBytes) return refuse(chunksTooSmall());
      // Most bodies are one chunk.
      if (before === 0) {
        bytes = chunk;
      } else {
        if (size > (bytes as Buffer).length)
          bytes = grown(bytes as Buffer, before, length || Math.min(limit, 2 * size));
        (bytes as Buffer).set(chunk, before);
      }
      if (length === 0 && before <= countedBytes && size > countedBytes) {
        incoming.pause();
        reserve(env, limit).then(() => incoming.resume(), refuse);
      }
    };
    const onEnd = (): void => {
      env.since = performance.now();
      if (env.reservation) hold(env, size);
      resolve(bytes ? bytes.subarray(0, size) : Buffer.alloc(0));
    };
    const onClose = (): void => {
      // Every request closes in the end.
      if (!incoming.readableEnded) reject(new ApiError('bad_request', 'The connection closed before the body ended.'));
    };
    incoming.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose);
  });
}

function grown(bytes: Buffer, size: number, capacity: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(capacity);
  larger.set(bytes.subarray(0, size));
  return larger;
}

function checkMediaType({ headers }: IncomingMessage, accepted: readonly string[]): void {
  const { 'content-encoding': encoding = 'identity', 'content-type': header } = headers;
  if (encoding.toLowerCase() !== 'identity') {
    throw new ApiError('unsupported_media_type', 'The body must not be compressed: send it without Content-Encoding.');
  }
  if (header !== undefined && accepted.includes(header)) return;
  const [type = '', ...parameters] = (header ?? '').toLowerCase().split(/\s*;\s*/);
  const isUtf8Text = parameters.every((parameter) => !/^charset=(?!"?utf-8"?$)/.test(parameter));
  if (accepted.includes(type) && isUtf8Text) return;
  const subject = header === undefined ? 'The Content-Type is missing: it' : 'The Content-Type';
  throw new ApiError('unsupported_media_type', `${subject} must be ${accepted.join(' or ')}, in UTF-8.`);
}

/**
 * Reads a body. The bytes are counted as they arrive; memory for one over 16 KiB is reserved before it is read.
 *
 * @param limit the most bytes the body may hold
 * @param accepted the media types it may be sent with
 * @throws ApiError `unsupported_media_type` (415), `body_too_large` (413), `bad_request` (400: very many very small chunks),
 *   `overloaded` (503).
 */
export async function readBody(env: RequestEnv, limit: number, accepted: readonly string[]): Promise<Buffer> {
  const { incoming, outgoing } = env;
  checkMediaType(incoming, accepted);
  const length = Number(incoming.headers['content-length'] ?? 0);
  if (length > limit) throw tooLarge(limit);
  if (length > countedBytes) await reserve(env, length);
  // The client waits for this before it sends the body: RFC 9110, 10.1.1. Other expectations have been refused.
  if (incoming.headers.expect !== undefined && incoming.httpVersion === '1.1') outgoing.writeContinue();
  return collect(env, limit, length);
}
