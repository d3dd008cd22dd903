import { createHash, timingSafeEqual } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '../errors.ts';
import type { MaybePromise } from '../maybe-promise.ts';
import { log } from '../observe/log.ts';

/** Wrong keys of one address in a second that are answered at once; the answer to each further one is delayed. */
const promptAnswers = 10;

/** Milliseconds of that delay. */
const delay = 1_000;

/** Addresses that are told apart within a second: those that follow are counted together. */
const maxAddresses = 10_000;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Checks the API keys that requests are sent with. */
export interface KeyCheck {
  /**
   * The error of a request with this Authorization header (RFC 6750, 2.1); undefined where it holds a valid key. Of an address
   * that sends many wrong keys it resolves after a second; valid keys are never delayed.
   *
   * @param address of the connection: what a header says about it, anybody can write
   */
  check(authorization: string | undefined, address: string | undefined): MaybePromise<ApiError | undefined>;
  /** Requests with a wrong key so far. */
  readonly wrong: number;
}

/** The key in an Authorization header (RFC 6750, 2.1). */
export const keyIn = (authorization = ''): string | undefined => /^bearer +(.+)$/is.exec(authorization)?.[1]?.trim();

/** The check for the API keys of a service. */
export function keyCheck(keys: readonly string[], realm: string): KeyCheck {
  const digests = keys.map(digest);
  // Whole headers that have passed: only valid ones are ever found here.
  const valid = new Set<string>();
  const unauthorized = (detail: string, error = ''): ApiError =>
    new ApiError('unauthorized', detail, { headers: { 'WWW-Authenticate': `Bearer realm="${realm}"${error}` } });

  let wrong = 0;
  const recent = new RecentCounts();

  return {
    get wrong() {
      return wrong;
    },
    check(authorization = '', address = '') {
      if (valid.has(authorization)) return undefined;
      const key = keyIn(authorization);
      if (key === undefined) return unauthorized('An API key is required: Authorization: Bearer <API_KEY>.');
      const sent = digest(key);
      // Every key is compared, so that the time tells nothing.
      if (digests.filter((known) => timingSafeEqual(known, sent)).length > 0) {
        if (valid.size < 1000) valid.add(authorization);
        return undefined;
      }
      wrong++;
      log.repeated('warn', 'A request had a wrong API key.', { address });
      const error = unauthorized('The API key is not valid.', ', error="invalid_token"');
      return recent.count(networkOf(address)) <= promptAnswers ? error : pause(delay, error);
    },
  };
}

/** Counts events by name, within a second. */
class RecentCounts {
  readonly #counts = new Map<string, number>();
  #since = -Infinity;

  /** @returns how many there were in this second, with this one */
  count(name: string): number {
    const now = performance.now();
    if (now - this.#since >= 1_000) {
      this.#counts.clear();
      this.#since = now;
    }
    const bounded = this.#counts.size < maxAddresses || this.#counts.has(name) ? name : '';
    const count = (this.#counts.get(bounded) ?? 0) + 1;
    this.#counts.set(bounded, count);
    return count;
  }
}

/** An IPv4 address, or the first 64 bits of an IPv6 address: who has one of those, has them all. */
function networkOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  return (address.split('::')[0] as string).split(':').slice(0, 4).join(':');
}
