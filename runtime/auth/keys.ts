import { createHash, timingSafeEqual } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../model/errors.ts';
import type { Principal } from './principal.ts';
import { idOfKey } from './format.ts';
import { defaultRate, parseRate, type Rate, TokenBucket } from './rate.ts';
import { everything } from './scopes.ts';
import type { MaybePromise } from '../model/maybe-promise.ts';
import { log } from '../observability/log.ts';
import { mainName, mainOrganization } from '../sql/schema.ts';
import type { Store, StoredKey } from '../records/store.ts';
import { KeyCache, type InvalidKey, unknownKey } from './key-cache.ts';

/** Wrong keys of one address in a second that are answered at once; the answer to each further one is delayed. */
const promptAnswers = 10;

/** Milliseconds of that delay. */
const delay = 1_000;

/** Addresses that are told apart within a second: those that follow are counted together. */
const maxAddresses = 10_000;

/** Headers with a key of `API_KEYS` that are remembered. */
const maxHeaders = 1_000;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Checks the API keys that requests are sent with. */
export interface KeyCheck {
  /**
   * The holder of the key in this Authorization header (RFC 6750, 2.1), or the error for the response. For an
   * address that sends many wrong keys that takes a second; valid keys are never delayed.
   *
   * @param address of the connection: what a header says about it, anybody can write
   */
  check(authorization: string | undefined, address: string | undefined): MaybePromise<Principal | ApiError>;
  /** Requests with a wrong key so far. */
  readonly wrong: number;
  /** Stores when keys were last used. */
  close(): Promise<void>;
}

/** The key in an Authorization header (RFC 6750, 2.1). */
const keyIn = (authorization: string): string | undefined => /^bearer +(.+)$/is.exec(authorization)?.[1]?.trim();

const bucketOf = (rate: Rate | null): TokenBucket | undefined =>
  rate === null ? undefined : new TokenBucket(rate, performance.now());

/**
 * The check for the API keys of a service.
 *
 * @param keys those of `API_KEYS`, which are not in the database
 * @param rate that of keys without one of their own; undefined for the default, which keys of `API_KEYS` do not have
 */
export function keyCheck(
  keys: readonly string[],
  realm: string,
  store: Pick<Store, 'of' | 'keys'>,
  rate?: Rate | null,
): KeyCheck {
  const configured = keys.map((key, index): { readonly digest: Buffer; readonly client: Principal } => ({
    digest: digest(key),
    client: {
      name: `API_KEYS ${index + 1}`,
      keyId: undefined,
      organization: mainOrganization,
      about: { name: `Key ${index + 1} of the server`, organization: mainName, expiresAt: null },
      records: store.of(mainOrganization),
      scopes: new Set([everything]),
      limit: bucketOf(rate ?? null),
    },
  }));
  // Whole headers that have passed: only valid ones are ever found here.
  const passed = new Map<string, Principal>();
  const usualRate = rate === undefined ? (parseRate(defaultRate) as Rate) : rate;
  const toClient = (key: StoredKey, former?: Principal): Principal => {
    const { id, organization, scopes, rate: stored, expiresAt } = key;
    const ownRate = stored === null ? undefined : parseRate(stored);
    const limit = bucketOf(ownRate === undefined ? usualRate : ownRate);
    // To be looked up again leaves a key what it had left.
    const isSame = isDeepStrictEqual(limit?.rate, former?.limit?.rate);
    return {
      name: id,
      keyId: id,
      organization,
      about: {
        name: key.name,
        organization: key.organizationName,
        // Rows that were written by hand may have another form.
        expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
      },
      // The next reads of the key find its own writes: see READ_DATABASE_URL.
      records: former?.organization === organization ? former.records : store.of(organization),
      scopes: new Set(scopes.split(' ')),
      limit: isSame && former ? former.limit : limit,
    };
  };
  const cache = new KeyCache(store.keys, toClient);
  const unauthorized = (detail: string, error = ''): ApiError =>
    new ApiError('unauthorized', detail, { headers: { 'WWW-Authenticate': `Bearer realm="${realm}"${error}` } });

  let wrong = 0;
  const recent = new RecentCounts();
  const refuse = ({ detail, keyId }: InvalidKey, address: string): MaybePromise<ApiError> => {
    wrong++;
    if (keyId === undefined) log.repeated('warn', 'A request had a wrong API key.', { address });
    else log.repeated('warn', 'A request had an API key that is no longer valid.', { address, key: keyId });
    const error = unauthorized(detail, ', error="invalid_token"');
    return recent.count(networkOf(address)) <= promptAnswers ? error : pause(delay, error);
  };

  return {
    get wrong() {
      return wrong;
    },
    check(authorization = '', address = '') {
      const client = passed.get(authorization) ?? cache.get(authorization);
      if (client) return client;
      const key = keyIn(authorization);
      if (key === undefined) return unauthorized('An API key is required: Authorization: Bearer <API_KEY>.');
      const sent = digest(key);
      // Every key is compared, so that the time tells nothing.
      let own: Principal | undefined;
      for (const one of configured) if (timingSafeEqual(one.digest, sent)) own = one.client;
      if (own) {
        if (passed.size < maxHeaders) passed.set(authorization, own);
        return own;
      }
      const id = idOfKey(key);
      if (id === undefined) return refuse(unknownKey, address);
      return cache
        .find({ key, id, digest: sent })
        .then((found) => ('detail' in found ? refuse(found, address) : found))
        .catch((error: unknown) =>
          error instanceof ApiError
            ? error
            : new ApiError('internal', 'The API key could not be checked.', { cause: error }),
        );
    },
    close: () => cache.close(),
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
