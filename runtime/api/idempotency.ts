import { hash } from 'node:crypto';
import { ApiError } from '../model/errors.ts';
import type { Once } from '../records/store.ts';
import type { RequestEnv } from './service.ts';

/** Members in the order of their names, so that the same values are the same text. */
const inOrder = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/**
 * Reads the `Idempotency-Key` of a request, which is done once for each key.
 *
 * @param path that of the request
 * @param body as it was parsed
 * @throws ApiError `invalid_header` (400)
 */
export function onceOf({ incoming, principal }: RequestEnv, path: string, body: unknown): Once | undefined {
  const sent = incoming.headers['idempotency-key'];
  if (sent === undefined) return undefined;
  // https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ has it as a quoted string.
  const key = String(sent).replace(/^"([^"]*)"$/, '$1');
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new ApiError('invalid_header', 'Idempotency-Key must have 1 to 255 visible ASCII characters.');
  }
  const digest = hash('sha256', `${incoming.method} ${path} ${JSON.stringify(body, inOrder)}`, 'hex');
  return { owner: principal.name, key, digest, ids: [] };
}
