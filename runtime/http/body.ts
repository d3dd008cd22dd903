import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../errors.ts';
import { type Json, parseJson } from './json.ts';

const tooLarge = (limit: number): ApiError =>
  new ApiError('body_too_large', `The body is larger than the limit of ${limit} bytes.`);

function readBytes(incoming: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limit) return;
      chunks.length = 0;
      incoming.off('data', onData).pause();
      reject(tooLarge(limit));
    };
    const onEnd = (): void => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size));
    const onClose = (): void => {
      // Every request closes in the end.
      if (!incoming.readableEnded) reject(new ApiError('bad_request', 'The connection closed before the body ended.'));
    };
    incoming.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose);
  });
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

/** How much of a body is read. */
export interface BodyLimits {
  readonly bytes: number;
  /** Members and array entries; the rest of a body that has more is not parsed. */
  readonly values: number;
}

/**
 * Reads a JSON body. The bytes are counted as they arrive and decoded strictly: what is not UTF-8 is refused, never
 * repaired.
 *
 * @param accepted the media types it may be sent with
 * @throws ApiError `unsupported_media_type` (415), `body_too_large` (413), `malformed_json` (400).
 */
export async function readJson(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  limits: BodyLimits,
  accepted: readonly string[],
): Promise<Json> {
  checkMediaType(incoming, accepted);
  if (Number(incoming.headers['content-length']) > limits.bytes) throw tooLarge(limits.bytes);
  // The client waits for this before it sends the body: RFC 9110, 10.1.1. Other expectations have been refused.
  if (incoming.headers.expect !== undefined && incoming.httpVersion === '1.1') outgoing.writeContinue();
  return parseJson(await readBytes(incoming, limits.bytes), limits.values);
}
