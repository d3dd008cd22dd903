import type { IncomingMessage } from 'node:http';
import type { z } from 'zod';
import { ApiError, type FieldError, invalidBody, unavailable } from '../model/errors.ts';
import { maxBodyBytes, maxHeaderBytes, maxJsonDepth } from '../model/limits.ts';
import { validate } from '../model/validate.ts';
import { keepTexts, printJson } from '../values/json-text.ts';
import { MessageThread } from '../../threads/message-thread.ts';
import { sibling } from '../../threads/sibling.ts';
import type { RequestEnv } from './service.ts';
import { enter } from './capacity.ts';
import {
  digestWith,
  isMapping,
  type JsonRequest,
  type Parsed,
  parseJson,
  parseRequest,
  requireFewValues,
} from './json.ts';
import { largeBytes, minChunkBytes } from './limits.ts';

export interface BodyRules<T = unknown> {
  readonly schema: z.ZodType<T>;
  /** Members and array entries together. */
  readonly maxValues: number;
  /** The fields whose objects and arrays are kept as they were sent. */
  readonly free?: readonly string[];
  readonly maxBytes: number;
  readonly mediaTypes: readonly string[];
  /** The schema of the body of an import. */
  readonly importSchema?: z.ZodType<T>;
  /** A request without a body is one with an empty object. */
  readonly isOptional?: boolean;
}

const tooLarge = (limit: number): ApiError =>
  new ApiError('body_too_large', `The body is larger than the limit of ${limit} bytes.`);

const chunksTooSmall = (): ApiError =>
  new ApiError('bad_request', `The chunks of a body must have at least ${minChunkBytes} bytes on average.`);

/**
 * Collects the bytes of a body in one buffer: as chunks, bytes that are sent one by one would take a hundred times their
 * memory.
 *
 * @param length the bytes to expect, for which memory is held; 0 if it is not known
 * @param response see `readBody`
 */
function collect(env: RequestEnv, limit: number, length: number, response: number): Promise<Buffer> {
  const { incoming } = env;
  const isChunked = incoming.headers['transfer-encoding'] !== undefined;
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0);
    let size = 0;
    let chunks = 0;
    const refuse = (error: unknown): void => {
      bytes = Buffer.alloc(0);
      incoming.off('data', onData).pause();
      reject(error);
    };
    const onData = (chunk: Buffer): void => {
      const before = size;
      size += chunk.length;
      if (size > limit) return refuse(tooLarge(limit));
      if (isChunked && size + 2 * maxHeaderBytes < ++chunks * minChunkBytes) return refuse(chunksTooSmall());
      // Most bodies are one chunk.
      if (before === 0) bytes = chunk;
      else {
        if (size > bytes.length) bytes = grown(bytes, length || Math.min(limit, 2 * size));
        bytes.set(chunk, before);
      }
      if (length === 0 && before <= largeBytes && size > largeBytes) {
        incoming.pause();
        enter(env, Math.max(limit, response)).then(() => incoming.resume(), refuse);
      }
    };
    const onEnd = (): void => resolve(bytes.subarray(0, size));
    const onClose = (): void => {
      // Every request closes in the end.
      if (!incoming.readableEnded) reject(new ApiError('bad_request', 'The connection closed before the body ended.'));
    };
    incoming.on('data', onData).on('end', onEnd).on('error', onClose).on('close', onClose);
  });
}

function grown(bytes: Buffer, capacity: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(capacity);
  larger.set(bytes);
  return larger;
}

function requireMediaType({ headers }: IncomingMessage, accepted: readonly string[]): void {
  const { 'content-encoding': encoding = 'identity', 'content-type': header } = headers;
  if (encoding.toLowerCase() !== 'identity') {
    throw new ApiError('unsupported_media_type', 'The body must not be compressed: send it without Content-Encoding.');
  }
  if (header !== undefined && accepted.includes(header)) return;
  const [type = '', ...parameters] = (header ?? '').toLowerCase().split(/\s*;\s*/);
  const isUtf8Text = parameters.every((parameter) => !/^charset=(?!"?utf-?8"?$)/.test(parameter));
  if (accepted.includes(type) && isUtf8Text) return;
  const subject = header === undefined ? 'The Content-Type is missing: it' : 'The Content-Type';
  throw new ApiError('unsupported_media_type', `${subject} must be ${accepted.join(' or ')}, in UTF-8.`);
}

/**
 * Reads a body. The bytes are counted as they arrive; one over 64 KiB is not read before there is memory for it.
 *
 * @param response the most bytes of its response, if they are held as well
 * @throws ApiError `unsupported_media_type` (415), `body_too_large` (413), `bad_request` (400: very many very small chunks),
 *   `overloaded` (503).
 */
export async function readBody(
  env: RequestEnv,
  { maxBytes, mediaTypes, isOptional = false }: Pick<BodyRules, 'maxBytes' | 'mediaTypes' | 'isOptional'>,
  response = 0,
): Promise<Buffer> {
  const { incoming, outgoing } = env;
  const length = Number(incoming.headers['content-length'] ?? 0);
  if (isOptional && length === 0 && incoming.headers['transfer-encoding'] === undefined) return Buffer.from('{}');
  requireMediaType(incoming, mediaTypes);
  if (length > maxBytes) throw tooLarge(maxBytes);
  if (length > largeBytes) await enter(env, Math.max(length, response));
  // The client waits for this before it sends the body: RFC 9110, 10.1.1. Other expectations have been refused.
  if (incoming.headers.expect !== undefined && incoming.httpVersion === '1.1') outgoing.writeContinue();
  return collect(env, maxBytes, length, response);
}

/** Finds the errors of a body that its schema cannot see. It is asked only if the schema refuses the body. */
export type OtherErrors = (body: object) => Promise<readonly FieldError[]>;

/** The parsed body, or the reason why it is malformed. */
export type JsonAnswer = Parsed | { readonly malformed: string };

/** Parses bodies that would block the main thread. */
const thread = new MessageThread<JsonRequest, JsonAnswer>({
  url: sibling('json-thread', import.meta),
  cannotStart: (cause) => unavailable('The body cannot be processed now. Try again.', cause),
  lost: (_, cause) => unavailable('The body could not be processed. Try again.', cause),
});

/**
 * Parses a body and checks it against the schema of its operation. One over 1 MiB is parsed by a thread: what is left to
 * check are few values, which at most are long.
 *
 * @param bytes are lost if there are many of them
 * @param isKeyed whether the request has an `Idempotency-Key`
 * @param othersIn what else to report of a body that is not valid
 * @param maxDepth the most levels of objects and arrays
 * @throws ApiError `malformed_json` (400), `invalid_body` (422), `unavailable` (503).
 */
export async function parseBody<T>(
  bytes: Buffer,
  { schema, maxValues, free = [] }: Pick<BodyRules<T>, 'schema' | 'maxValues' | 'free'>,
  isKeyed = false,
  othersIn?: OtherErrors,
  maxDepth = maxJsonDepth + (free.length > 0 ? 1 : 0),
): Promise<Parsed<T>> {
  const request = { bytes, maxValues, maxDepth, isKeyed };
  const text = free.length > 0 ? textOf(bytes) : '';
  const body = bytes.length > maxBodyBytes ? await parseInThread(request) : parseRequest(request);
  const value = isMapping(body.value) ? keepTexts(body.value, text, free) : body.value;
  const digest = digestWith(body.digest, [value]);
  return { ...(digest !== undefined && { digest }), value: await checked(schema, value, othersIn) };
}

/** A body as a text, without a byte order mark. */
export const textOf = (bytes: Buffer): string => bytes.toString().replace(/^\u{FEFF}/u, '');

/** Checks a body against a schema, and reports its other errors beside those of the schema. @throws ApiError `invalid_body` (422) */
async function checked<T>(schema: z.ZodType<T>, value: unknown, othersIn?: OtherErrors): Promise<T> {
  try {
    return validate(schema, value);
  } catch (error) {
    const { errors = [], errors_omitted: omitted } = (error as ApiError).extensions;
    if (omitted !== undefined || typeof value !== 'object' || value === null) throw error;
    throw invalidBody([...errors, ...((await othersIn?.(value)) ?? [])]);
  }
}

async function parseInThread(request: JsonRequest): Promise<Parsed> {
  const answer = await thread.ask(request, [request.bytes.buffer as ArrayBuffer]);
  if ('malformed' in answer) throw new ApiError('malformed_json', answer.malformed);
  return answer;
}

/**
 * Checks a body that came as a part of another one.
 *
 * @param value undefined if there is none
 * @param othersIn see `parseBody`
 * @throws ApiError `malformed_json` (400), `body_too_large` (413: its bytes are those of compact JSON), `invalid_body` (422).
 */
export async function checkPart(
  value: unknown,
  { schema, maxBytes, maxValues, isOptional = false }: BodyRules,
  othersIn?: OtherErrors,
): Promise<unknown> {
  if (value === undefined && isOptional) return validate(schema, {});
  if (value === undefined) parseJson(Buffer.alloc(0), maxValues);
  if (Buffer.byteLength(printJson(value)) > maxBytes) throw tooLarge(maxBytes);
  requireFewValues(value, maxValues);
  return checked(schema, value, othersIn);
}
