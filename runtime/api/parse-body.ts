import type { z } from 'zod';
import { maxBodyBytes } from '../model/limits.ts';
import type { MaybePromise } from '../model/maybe-promise.ts';
import { tooManyValues, validate } from '../model/validate.ts';
import { type BodyLimits, tooLarge } from './body.ts';
import { countValues, type Json, parseJson } from './json.ts';
import { JsonWorker } from './json-worker.ts';

const worker = new JsonWorker();

/**
 * Parses a body and checks it against the schema of its operation. One over 1 MiB is parsed by a thread: what is left to
 * check are few values, which at most are long.
 *
 * @param bytes are lost if there are many of them
 * @param maxValues see `parseJson`
 * @throws ApiError `malformed_json` (400), `invalid_body` (422), `unavailable` (503).
 */
export function parseBody<T>(bytes: Buffer, schema: z.ZodType<T>, maxValues: number): MaybePromise<T> {
  if (bytes.length <= maxBodyBytes) return check(parseJson(bytes, maxValues), schema, maxValues);
  return worker.parse(bytes, maxValues).then((json) => check(json, schema, maxValues));
}

/**
 * Checks a body that came as a part of another one, as `readBody` and `parseBody` do with one of its own.
 *
 * @param value undefined if there is none
 * @throws ApiError `malformed_json` (400), `body_too_large` (413: its bytes are those of compact JSON), `invalid_body` (422).
 */
export function checkPart<T>(value: unknown, schema: z.ZodType<T>, limits: BodyLimits): T {
  const bytes = value === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(value));
  if (bytes.length > limits.bytes) throw tooLarge(limits.bytes);
  const isWhole = value !== undefined && countValues(value) <= limits.values;
  return isWhole ? validate(schema, value) : check(parseJson(bytes, limits.values), schema, limits.values);
}

function check<T>({ value, isCut }: Json, schema: z.ZodType<T>, maxValues: number): T {
  if (isCut) throw tooManyValues(schema, value, maxValues);
  return validate(schema, value);
}
