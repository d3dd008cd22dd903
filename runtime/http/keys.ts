import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../errors.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The API keys of the service, and the check of an Authorization header (RFC 6750, 2.1). */
export class Keys {
  readonly #digests: readonly Buffer[];
  readonly #challenge: string;
  // Whole headers that have passed: only valid ones are ever found here.
  readonly #valid = new Set<string>();

  constructor(keys: readonly string[], realm: string) {
    this.#digests = keys.map(digest);
    this.#challenge = `Bearer realm="${realm}"`;
  }

  /** The error of a request with this header; undefined where it holds a valid key. */
  check(authorization: string | undefined): ApiError | undefined {
    if (authorization !== undefined && this.#valid.has(authorization)) return undefined;
    const key = /^bearer +(.+)$/is.exec(authorization ?? '')?.[1]?.trim();
    if (authorization === undefined || key === undefined) {
      return this.#unauthorized('An API key is required: Authorization: Bearer <API_KEY>.');
    }
    const sent = digest(key);
    // Every key is compared, so that the time tells nothing.
    if (this.#digests.filter((known) => timingSafeEqual(known, sent)).length === 0) {
      return this.#unauthorized('The API key is not valid.', ', error="invalid_token"');
    }
    if (this.#valid.size < 1000) this.#valid.add(authorization);
    return undefined;
  }

  #unauthorized(detail: string, error = ''): ApiError {
    return new ApiError('unauthorized', detail, { headers: { 'WWW-Authenticate': this.#challenge + error } });
  }
}
