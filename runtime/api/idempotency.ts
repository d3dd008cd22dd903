import { hash } from 'node:crypto';
import { ApiError } from '../model/errors.ts';
import type { Once } from '../records/write.ts';
import type { RequestEnv } from './service.ts';

/** The `Idempotency-Key` of a request, which is done once for each key. @throws ApiError `invalid_header` (400) */
export function keyOf({ incoming }: RequestEnv): string | undefined {
  const sent = incoming.headers['idempotency-key'];
  if (sent === undefined) return undefined;
  // https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ has it as a quoted string.
  const key = String(sent).replace(/^"([^"]*)"$/, '$1');
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new ApiError('invalid_header', 'Idempotency-Key must have 1 to 255 visible ASCII characters.');
}

/** The values that identify a request with a key. @param digest that of its body, if it has one */
export function onceOf(
  { incoming, principal }: RequestEnv,
  key: string | undefined,
  path: string,
  digest = '',
): Once | undefined {
  if (key === undefined) return undefined;
  return { owner: principal.name, key, digest: hash('sha256', `${incoming.method} ${path} ${digest}`, 'hex'), ids: [] };
}
