import { ApiError, unavailable } from '../model/errors.ts';
import { maxBodyBytes } from '../model/limits.ts';
import { andThen, type MaybePromise } from '../model/maybe-promise.ts';
import { validate } from '../model/validate.ts';
import { MessageThread } from '../threads/message-thread.ts';
import { sibling } from '../threads/sibling.ts';
import { type BodyRules, tooLarge } from './body.ts';
import { type JsonRequest, type Parsed, parseJson, parseRequest, requireFewValues } from './json.ts';

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
 * @throws ApiError `malformed_json` (400), `invalid_body` (422), `unavailable` (503).
 */
export function parseBody<T>(
  bytes: Buffer,
  { schema, maxValues }: Pick<BodyRules<T>, 'schema' | 'maxValues'>,
  isKeyed = false,
): MaybePromise<Parsed<T>> {
  const request = { bytes, maxValues, isKeyed };
  const parsed = bytes.length > maxBodyBytes ? parseInThread(request) : parseRequest(request);
  return andThen(parsed, (body) => ({ ...body, value: validate(schema, body.value) }));
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
 * @throws ApiError `malformed_json` (400), `body_too_large` (413: its bytes are those of compact JSON), `invalid_body` (422).
 */
export function checkPart(value: unknown, { schema, maxBytes, maxValues, isOptional = false }: BodyRules): unknown {
  if (value === undefined && isOptional) return validate(schema, {});
  if (value === undefined) parseJson(Buffer.alloc(0), maxValues);
  if (Buffer.byteLength(JSON.stringify(value)) > maxBytes) throw tooLarge(maxBytes);
  requireFewValues(value, maxValues);
  return validate(schema, value);
}
