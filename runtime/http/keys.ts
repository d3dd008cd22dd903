import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError } from '../errors.ts';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The keys that open the service, and the check of an Authorization header (RFC 6750, 2.1). */
export class Keys {
  readonly #digests: readonly Buffer[];
  readonly #challenge: string;
  // Whole headers that have passed before: what is looked up here is only ever found when it is right.
  readonly #known = new Set<string>();

  constructor(keys: readonly string[], realm: string) {
    this.#digests = keys.map(digest);
    this.#challenge = `Bearer realm="${realm}"`;
  }

  /** Why a request with this header may not pass; undefined when it may. */
  refusal(authorization: string | undefined): ApiError | undefined {
    if (authorization !== undefined && this.#known.has(authorization)) return undefined;
    const [scheme, key] = authorization?.split(/ +/, 2) ?? [];
    if (authorization === undefined || scheme?.toLowerCase() !== 'bearer' || !key) {
      return new ApiError('unauthorized', 'Send an API key: Authorization: Bearer <API_KEY>.', {
        headers: { 'WWW-Authenticate': this.#challenge },
      });
    }
    const sent = digest(authorization.slice(scheme.length).trim());
    // Every key is compared, so that the time tells nothing.
    if (this.#digests.filter((known) => timingSafeEqual(known, sent)).length > 0) {
      if (this.#known.size < 1000) this.#known.add(authorization);
      return undefined;
    }
    return new ApiError('unauthorized', 'The API key is not valid.', {
      headers: { 'WWW-Authenticate': `${this.#challenge}, error="invalid_token"` },
    });
  }
}
