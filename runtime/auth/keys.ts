import { isDeepStrictEqual } from 'node:util';
import { ApiError, unavailable } from '../model/errors.ts';
import type { MaybePromise } from '../model/maybe-promise.ts';
import { inTime } from '../model/wait.ts';
import { log } from '../observability/log.ts';
import { BoundedMap } from '../records/bounded-map.ts';
import type { Records, Store, StoredKey } from '../records/store.ts';
import { mainName, mainOrganization } from '../sql/helper-tables.ts';
import { digestOf, idOfKey } from './format.ts';
import { defaultRate, parseRate, type Rate, TokenBucket } from './rate.ts';
import { maxWaiting } from '../records/limits.ts';
import { maxKeyAge, maxKeysRead, useInterval } from './limits.ts';
import { everything } from './scopes.ts';

/** The holder of an API key, of `API_KEYS` or of the key table. */
export interface Principal {
  /** Tells it from the others; never the key itself. */
  readonly name: string;
  /** The id in the key table; undefined for a key of `API_KEYS`. */
  readonly keyId: string | undefined;
  readonly organization: number;
  /** The names of the key and its organization for people, and its end: ISO 8601 in UTC. */
  readonly about: { readonly name: string; readonly organization: string; readonly expiresAt: string | null };
  readonly records: Records;
  readonly scopes: ReadonlySet<string>;
  /** Undefined if its rate is not limited. */
  readonly limit: TokenBucket | undefined;
}

/** A valid key of the key table, and the time by `performance.now()` until which that is known. */
interface KnownKey {
  readonly principal: Principal;
  readonly until: number;
  /** Whether a request had it since it was read. */
  isUsed: boolean;
}

/** Rows of the key table by their ids, and when the search for them began. */
interface ReadKeys {
  readonly stored: ReadonlyMap<string, StoredKey>;
  readonly at: number;
}

const notValid = 'The API key is not valid.';

const bucketOf = (rate: Rate | null): TokenBucket | undefined =>
  rate === null ? undefined : new TokenBucket(rate, performance.now());

/** The name of a key of `API_KEYS`, which no other key at its place takes over: the beginning of its digest. */
const nameOf = (key: string): string => `API_KEYS ${digestOf(key).slice(0, 8)}`;

/** Checks the API keys that requests are sent with. */
export class KeyCheck {
  /** Requests with a wrong key so far. */
  wrong = 0;
  readonly #realm: string;
  readonly #store: Pick<Store, 'of' | 'keys'>;
  readonly #rate: Rate | null;
  /** By the usual Authorization header, so that a request costs one search: the holders of `API_KEYS`. */
  readonly #configured: ReadonlyMap<string, Principal>;
  /** By the same: the keys of the key table that were looked up last. */
  readonly #known = new BoundedMap<string, KnownKey>(maxWaiting);
  /** By id, the keys that are being read. */
  readonly #reads = new Map<string, Promise<ReadKeys>>();
  /** By id, the last use of each key that was used since these were stored. */
  readonly #uses = new Map<string, string>();
  readonly #useTimer = setInterval(() => void this.#storeUses(), useInterval).unref();

  /**
   * @param keys those of `API_KEYS`, which are not in the database
   * @param rate that of keys without one of their own; undefined for the default, which keys of `API_KEYS` do not have
   */
  constructor(keys: readonly string[], realm: string, store: Pick<Store, 'of' | 'keys'>, rate?: Rate | null) {
    this.#realm = realm;
    this.#store = store;
    this.#rate = rate === undefined ? (parseRate(defaultRate) as Rate) : rate;
    const principalOf = (key: string, place: number): Principal => ({
      name: nameOf(key),
      keyId: undefined,
      organization: mainOrganization,
      about: { name: `Key ${place} of the server`, organization: mainName, expiresAt: null },
      records: store.of(mainOrganization),
      scopes: new Set([everything]),
      limit: bucketOf(rate ?? null),
    });
    this.#configured = new Map(keys.map((key, index) => [`Bearer ${key}`, principalOf(key, index + 1)]));
  }

  /**
   * Returns the holder of the key in an Authorization header (RFC 6750, 2.1), or the error for the response.
   *
   * @param address of the connection, for the log
   */
  check(authorization = '', address = ''): MaybePromise<Principal | ApiError> {
    const configured = this.#configured.get(authorization);
    if (configured) return configured;
    const known = this.#known.get(authorization);
    if (known && performance.now() < known.until) {
      known.isUsed = true;
      return known.principal;
    }
    const key = /^bearer +(.+)$/is.exec(authorization)?.[1]?.trim();
    if (key === undefined) return this.#unauthorized('An API key is required: Authorization: Bearer <API_KEY>.');
    const header = `Bearer ${key}`;
    if (header !== authorization) return this.check(header, address);
    const id = idOfKey(key);
    return id === undefined ? this.#refuse(notValid, address) : this.#lookUp(key, id, address);
  }

  /** Stores the last uses. */
  async close(): Promise<void> {
    clearInterval(this.#useTimer);
    await inTime(this.#storeUses());
  }

  /** Looks a key up by its id, which is no secret: the time of the search tells nothing of the others. */
  async #lookUp(key: string, id: string, address: string): Promise<Principal | ApiError> {
    try {
      const { stored, at } = await (this.#reads.get(id) ?? this.#read(id, this.#known.has(`Bearer ${key}`)));
      const found = this.#accept(key, stored.get(id), at);
      if (typeof found !== 'string') return found;
      return this.#refuse(found, address, found === notValid ? undefined : id);
    } catch (error) {
      if (error instanceof ApiError) return error;
      return new ApiError('internal', 'The API key could not be checked.', { cause: error });
    }
  }

  /** Notes a key that is valid as known. @returns its holder, or why it is not valid */
  #accept(key: string, stored: StoredKey | undefined, at: number): Principal | string {
    if (stored?.digest !== digestOf(key)) return notValid;
    if (stored.revokedAt !== null) return 'The API key was revoked.';
    const remaining = stored.expiresAt === null ? Infinity : Date.parse(stored.expiresAt) - Date.now();
    // Rows that were written by hand may hold anything.
    if (!(remaining > 0)) return 'The API key has expired.';
    const header = `Bearer ${key}`;
    const principal = this.#principalOf(stored, this.#known.get(header)?.principal);
    const until = Math.min(at + maxKeyAge, performance.now() + remaining);
    this.#known.set(header, { principal, until, isUsed: false });
    this.#uses.set(stored.id, new Date().toISOString());
    return principal;
  }

  /**
   * Reads a key; with one that was valid, others that were used since they were read, so that many keys cost few statements.
   *
   * @throws ApiError `unavailable` if the database does not answer in time
   */
  #read(id: string, isKnown: boolean): Promise<ReadKeys> {
    const others = isKnown ? this.#takeUsed(id) : new Map<string, string>();
    const ids = [id, ...others.keys()];
    const read = this.#find(ids)
      .then((keys) => {
        for (const [other, key] of others) this.#accept(key, keys.stored.get(other), keys.at);
        return keys;
      })
      .finally(() => ids.forEach((one) => this.#reads.delete(one)));
    for (const one of ids) this.#reads.set(one, read);
    return read;
  }

  /** Keys by their ids, of those that were used since they were read, and are to be read soon. */
  #takeUsed(id: string): Map<string, string> {
    const used = new Map<string, string>();
    const soon = performance.now() + maxKeyAge / 2;
    for (const [header, known] of this.#known) {
      const { keyId = '' } = known.principal;
      if (!known.isUsed || known.until > soon || keyId === id || this.#reads.has(keyId)) continue;
      known.isUsed = false;
      used.set(keyId, header.slice('Bearer '.length));
      if (used.size + 1 === maxKeysRead) break;
    }
    return used;
  }

  /** @throws ApiError `unavailable` if the database does not answer in time */
  async #find(ids: readonly string[]): Promise<ReadKeys> {
    const at = performance.now();
    const answer = this.#store.keys.find(ids);
    const keys = answer instanceof Promise ? await inTime(answer) : answer;
    if (!keys) throw unavailable('The database does not answer. Try again.');
    return { stored: new Map(keys.map((key) => [key.id, key])), at };
  }

  /** @param former the same key, as it was looked up before */
  #principalOf(stored: StoredKey, former: Principal | undefined): Principal {
    const { id, organization, expiresAt } = stored;
    const ownRate = stored.rate === null ? undefined : parseRate(stored.rate);
    const rate = ownRate === undefined ? this.#rate : ownRate;
    return {
      name: id,
      keyId: id,
      organization,
      about: {
        name: stored.name,
        organization: stored.organizationName,
        expiresAt: expiresAt === null ? null : new Date(expiresAt).toISOString(),
      },
      // The next reads of the key find its own writes: see READ_DATABASE_URL.
      records: former?.organization === organization ? former.records : this.#store.of(organization),
      scopes: new Set(stored.scopes.split(' ')),
      // A key that is looked up again keeps its remaining tokens.
      limit: isDeepStrictEqual(rate, former?.limit?.rate ?? null) ? former?.limit : bucketOf(rate),
    };
  }

  #unauthorized(detail: string, error = ''): ApiError {
    const challenge = `Bearer realm="${this.#realm}"${error}`;
    return new ApiError('unauthorized', detail, { headers: { 'WWW-Authenticate': challenge } });
  }

  /** @param key the id of a key that was valid */
  #refuse(detail: string, address: string, key?: string): ApiError {
    this.wrong++;
    if (key === undefined) log.repeated('warn', 'A request had a wrong API key.', { address });
    else log.repeated('warn', 'A request had an API key that is no longer valid.', { address, key });
    return this.#unauthorized(detail, ', error="invalid_token"');
  }

  async #storeUses(): Promise<void> {
    const uses = Array.from(this.#uses, ([id, at]) => ({ id, at }));
    this.#uses.clear();
    if (uses.length === 0) return;
    try {
      await this.#store.keys.noteUses(uses);
    } catch (error) {
      log.warn('The last uses of API keys could not be stored; they are stored later.', { err: error });
      for (const { id, at } of uses) this.#uses.getOrInsert(id, at);
    }
  }
}
