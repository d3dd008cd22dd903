import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../errors.ts';

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

/**
 * Reads a body. The bytes are counted as they arrive.
 *
 * @param limit the most bytes the body may hold
 * @param accepted the media types it may be sent with
 * @throws ApiError `unsupported_media_type` (415), `body_too_large` (413).
 */
export async function readBody(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  limit: number,
  accepted: readonly string[],
): Promise<Buffer> {
  checkMediaType(incoming, accepted);
  if (Number(incoming.headers['content-length']) > limit) throw tooLarge(limit);
  // The client waits for this before it sends the body: RFC 9110, 10.1.1. Other expectations have been refused.
  if (incoming.headers.expect !== undefined && incoming.httpVersion === '1.1') outgoing.writeContinue();
  return readBytes(incoming, limit);
}
