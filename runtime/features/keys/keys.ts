import { isDeepStrictEqual } from 'node:util';
import { ApiError, unavailable } from '../../kernel/model/errors.ts';
import { inTime, repeat } from '../../kernel/model/wait.ts';
import { log } from '../../observability/log.ts';
import { BoundedMap } from '../../kernel/records/bounded-map.ts';
import type { Access, Principal } from '../../kernel/api/service.ts';
import type { Store } from '../../kernel/records/store.ts';
import { mainName, mainOrganization } from '../../kernel/sql/schema.ts';
import type { FeatureCode } from '../../kernel/model/error-codes.ts';
import { insufficientScope, unauthorized } from './errors.ts';
import { digestOf, idOfKey } from './format.ts';
import type { KeyTable, StoredKey } from './key-table.ts';
import { defaultRate, parseRate, type Rate, rateLimited, TokenBucket } from './rate.ts';
import { maxWaiting } from '../../kernel/records/limits.ts';
import { checkInterval, maxEntries } from '../../kernel/model/limits.ts';
import { minute } from '../../kernel/values/time.ts';
import { allows, everything } from './scopes.ts';

/** The holder of an API key, of `API_KEYS` or of the key table. */
export interface KeyHolder extends Principal {
  /** The names of the key and its organization for people, and its end: ISO 8601 in UTC. */
  readonly about: { readonly name: string; readonly organization: string; readonly expiresAt: string | null };
  readonly scopes: ReadonlySet<string>;
  /** Undefined if its rate is not limited. */
  readonly limit: TokenBucket | undefined;
}

/** A valid key of the key table, and the time by `performance.now()` until which that is known. */
interface KnownKey {
  readonly holder: KeyHolder;
  readonly until: number;
  /** Whether a request had it since it was read. */
  isUsed: boolean;
}

/** Rows of the key table by their ids, and when the search for them began. */
interface ReadKeys {
  readonly stored: ReadonlyMap<string, StoredKey>;
  readonly at: number;
}

/** Milliseconds for which a key is accepted without another look, which takes a while, too: a revoked key stops within a second. */
const maxKeyAge = 0.9 * checkInterval;

/** Milliseconds after which the uses of keys are stored: one write for all that were used. */
const useInterval = minute;

const notValid = 'The API key is not valid.';

const bucketOf = (rate: Rate | null): TokenBucket | undefined =>
  rate === null ? undefined : new TokenBucket(rate, performance.now());

/** The name of a key of `API_KEYS`, which no other key at its place takes over: the beginning of its digest. */
const nameOf = (key: string): string => `API_KEYS ${digestOf(key).slice(0, 8)}`;

/** Checks the API keys that requests are sent with. */
export class KeyCheck implements Access {
  /** Requests with a wrong key so far. */
  wrong = 0;
  readonly #realm: string;
  readonly #store: Pick<Store, 'of'>;
  readonly #table: KeyTable;
  readonly #rate: Rate | null;
  /** By the usual Authorization header, so that a request costs one search: the holders of `API_KEYS`. */
  readonly #configured: ReadonlyMap<string, KeyHolder>;
  /** By the same: the keys of the key table that were looked up last. */
  readonly #known = new BoundedMap<string, KnownKey>(maxWaiting);
  /** By id, the keys that are being read. */
  readonly #reads = new Map<string, Promise<ReadKeys>>();
  /** By id, the last use of each key that was used since these were stored. */
  readonly #uses = new Map<string, string>();
  readonly #storing = repeat(useInterval, async () => this.#storeUses().then(() => useInterval));

  /**
   * @param keys those of `API_KEYS`, which are not in the database
   * @param rate that of keys without one of their own; undefined for the default, which keys of `API_KEYS` do not have
   */
  constructor(keys: readonly string[], realm: string, store: Pick<Store, 'of'>, table: KeyTable, rate?: Rate | null) {
    this.#realm = realm;
    this.#store = store;
    this.#table = table;
    this.#rate = rate === undefined ? (parseRate(defaultRate) as Rate) : rate;
    const holderOf = (key: string, place: number): KeyHolder =>
      this.#holder({
        name: nameOf(key),
        keyId: undefined,
        organization: mainOrganization,
        about: { name: `Key ${place} of the server`, organization: mainName, expiresAt: null },
        records: store.of(mainOrganization),
        scopes: new Set([everything]),
        limit: bucketOf(rate ?? null),
      });
    this.#configured = new Map(keys.map((key, index) => [`Bearer ${key}`, holderOf(key, index + 1)]));
  }

  /** The holder of the key in an Authorization header (RFC 6750, 2.1). See `Access`. */
  check(authorization = '', address = ''): KeyHolder | ApiError | Promise<KeyHolder | ApiError> {
    const configured = this.#configured.get(authorization);
    if (configured) return configured;
    const known = this.#known.get(authorization);
    if (known && performance.now() < known.until) {
      known.isUsed = true;
      return known.holder;
    }
    const key = /^bearer +(.+)$/is.exec(authorization)?.[1]?.trim();
    if (key === undefined) return this.#error(unauthorized, 'An API key is required: Authorization: Bearer <API_KEY>.');
    const header = `Bearer ${key}`;
    if (header !== authorization) return this.check(header, address);
    const id = idOfKey(key);
    return id === undefined ? this.#refuse(notValid, address) : this.#lookUp(key, id, address);
  }

  /** Stores the last uses. */
  async close(): Promise<void> {
    await this.#storing[Symbol.asyncDispose]();
    await inTime(this.#storeUses());
  }

  /** Looks a key up by its id, which is no secret: the time of the search tells nothing of the others. */
  async #lookUp(key: string, id: string, address: string): Promise<KeyHolder | ApiError> {
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
  #accept(key: string, stored: StoredKey | undefined, at: number): KeyHolder | string {
    if (stored?.digest !== digestOf(key)) return notValid;
    if (stored.revokedAt !== null) return 'The API key was revoked.';
    const remaining = stored.expiresAt === null ? Infinity : Date.parse(stored.expiresAt) - Date.now();
    // Rows that were written by hand may hold anything.
    if (!(remaining > 0)) return 'The API key has expired.';
    const header = `Bearer ${key}`;
    const holder = this.#holderOf(stored, this.#known.get(header)?.holder);
    const until = Math.min(at + maxKeyAge, performance.now() + remaining);
    this.#known.set(header, { holder, until, isUsed: false });
    this.#uses.set(stored.id, new Date().toISOString());
    return holder;
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
      const { keyId = '' } = known.holder;
      if (!known.isUsed || known.until > soon || keyId === id || this.#reads.has(keyId)) continue;
      known.isUsed = false;
      used.set(keyId, header.slice('Bearer '.length));
      // On SQLite, nothing else is done meanwhile.
      if (used.size + 1 === maxEntries) break;
    }
    return used;
  }

  /** @throws ApiError `unavailable` if the database does not answer in time */
  async #find(ids: readonly string[]): Promise<ReadKeys> {
    const at = performance.now();
    const answer = this.#table.find(ids);
    const keys = await inTime(answer);
    if (!keys) throw unavailable('The database does not answer. Try again.');
    return { stored: new Map(keys.map((key) => [key.id, key])), at };
  }

  /** @param former the same key, as it was looked up before */
  #holderOf(stored: StoredKey, former: KeyHolder | undefined): KeyHolder {
    const { id, organization, expiresAt } = stored;
    const ownRate = stored.rate === null ? undefined : parseRate(stored.rate);
    const rate = ownRate === undefined ? this.#rate : ownRate;
    return this.#holder({
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
    });
  }

  #holder(facts: Omit<KeyHolder, 'may' | 'refusal' | 'takeRequest'>): KeyHolder {
    const { scopes, limit } = facts;
    return {
      ...facts,
      may: (action, path) => scopes.has(everything) || allows(scopes, action, path),
      refusal: (action, path) => {
        const scope = `${path}:${action}`;
        const detail = `The API key may not do this: it needs the scope ${scope}.`;
        return this.#error(insufficientScope, detail, `, error="insufficient_scope", scope="${scope}"`);
      },
      takeRequest: () => (limit?.tryAcquire(performance.now()) === false ? rateLimited(limit) : undefined),
    };
  }

  /** @param parameters those behind the realm (RFC 6750, 3) */
  #error(code: FeatureCode, detail: string, parameters = ''): ApiError {
    return new ApiError(code, detail, {
      headers: { 'WWW-Authenticate': `Bearer realm="${this.#realm}"${parameters}` },
    });
  }

  /** @param key the id of a key that was valid */
  #refuse(detail: string, address: string, key?: string): ApiError {
    this.wrong++;
    if (key === undefined) log.repeated('warn', 'A request had a wrong API key.', { address });
    else log.repeated('warn', 'A request had an API key that is no longer valid.', { address, key });
    return this.#error(unauthorized, detail, ', error="invalid_token"');
  }

  async #storeUses(): Promise<void> {
    const uses = Array.from(this.#uses, ([id, at]) => ({ id, at }));
    this.#uses.clear();
    if (uses.length === 0) return;
    try {
      await this.#table.noteUses(uses);
    } catch (error) {
      log.warn('The last uses of API keys could not be stored; they are stored later.', { err: error });
      for (const { id, at } of uses) this.#uses.getOrInsert(id, at);
    }
  }
}
