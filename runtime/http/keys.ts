import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../errors.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The error of a request with this Authorization header (RFC 6750, 2.1); undefined where it holds a valid key. */
export type KeyCheck = (authorization: string | undefined) => ApiError | undefined;

/** The key in an Authorization header (RFC 6750, 2.1). */
export const keyIn = (authorization = ''): string | undefined => /^bearer +(.+)$/is.exec(authorization)?.[1]?.trim();

/** The check for the API keys of a service. */
export function keyCheck(keys: readonly string[], realm: string): KeyCheck {
  const digests = keys.map(digest);
  // Whole headers that have passed: only valid ones are ever found here.
  const valid = new Set<string>();
  const unauthorized = (detail: string, error = ''): ApiError =>
    new ApiError('unauthorized', detail, { headers: { 'WWW-Authenticate': `Bearer realm="${realm}"${error}` } });

  return (authorization = '') => {
    if (valid.has(authorization)) return undefined;
    const key = keyIn(authorization);
    if (key === undefined) return unauthorized('An API key is required: Authorization: Bearer <API_KEY>.');
    const sent = digest(key);
    // Every key is compared, so that the time tells nothing.
    if (digests.filter((known) => timingSafeEqual(known, sent)).length === 0) {
      return unauthorized('The API key is not valid.', ', error="invalid_token"');
    }
    if (valid.size < 1000) valid.add(authorization);
    return undefined;
  };
}
