import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError } from '../errors.ts';

/** Requests whose client waits for `100 Continue` before it sends the body (RFC 9110, 10.1.1). */
export const awaitingContinue = new WeakSet<IncomingMessage>();

const tooLarge = (limit: number): ApiError =>
  new ApiError('body_too_large', `The body is larger than the ${limit} bytes that are accepted here.`);

function readBytes(incoming: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stop = (): void => {
      incoming.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= limit) return;
      stop();
      incoming.pause();
      reject(tooLarge(limit));
    };
    const onEnd = (): void => {
      stop();
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size));
    };
    const onBroken = (): void => {
      stop();
      reject(new ApiError('bad_request', 'The connection ended before the body did.'));
    };
    incoming.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

function checkMediaType(incoming: IncomingMessage, accepted: readonly string[]): void {
  const encoding = incoming.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new ApiError('unsupported_media_type', 'The body must not be compressed: send it without Content-Encoding.');
  }
  const header = incoming.headers['content-type'];
  if (header !== undefined && accepted.includes(header)) return;
  const [type = '', ...parameters] = (header ?? '')
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const utf8 = parameters.every((parameter) => !/^charset=(?!"?utf-8"?$)/.test(parameter));
  if (accepted.includes(type) && utf8) return;
  throw new ApiError(
    'unsupported_media_type',
    `The body must be sent with Content-Type: ${accepted.join(' or ')}, in UTF-8` +
      (header === undefined ? '; there is no Content-Type.' : '.'),
  );
}

function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) throw new ApiError('malformed_json', 'The body is empty; it must be a JSON object.');
  if (!isUtf8(bytes)) throw new ApiError('malformed_json', 'The body is not UTF-8.');
  try {
    return JSON.parse(bytes.toString());
  } catch (error) {
    const place = /position (\d+)/.exec((error as Error).message)?.[1];
    const where = place === undefined ? '' : `; the first mistake is at character ${Number(place) + 1}`;
    throw new ApiError('malformed_json', `The body is not JSON${where}.`);
  }
}

/**
 * Reads a JSON body. The bytes are counted as they arrive and decoded strictly: what is not UTF-8 is refused, never
 * repaired.
 *
 * @param limit the most bytes the body may hold
 * @param accepted the media types it may be sent with
 * @throws ApiError `unsupported_media_type` (415), `body_too_large` (413), `malformed_json` (400).
 */
export async function readJson(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  limit: number,
  accepted: readonly string[],
): Promise<unknown> {
  checkMediaType(incoming, accepted);
  if (Number(incoming.headers['content-length']) > limit) throw tooLarge(limit);
  if (awaitingContinue.has(incoming)) outgoing.writeContinue();
  return parse(await readBytes(incoming, limit));
}
