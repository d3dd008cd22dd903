import { timingSafeEqual } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../model/errors.ts';
import type { Principal } from './principal.ts';
import { log } from '../observability/log.ts';
import type { MaybePromise } from '../model/maybe-promise.ts';
import { BoundedMap } from '../records/bounded-map.ts';
import type { KeyTable, StoredKey } from '../records/store.ts';

/** Milliseconds since the version of the keys was read: it is read again, and then no key is taken without that. */
const refreshAge = 500;
const maxAge = 900;

/** Milliseconds that a request waits for the database. */
const readTimeout = 1_000;

/** Keys that are remembered, and keys that are known not to be valid. */
const maxKnown = 10_000;
const maxRefused = 10_000;

/** Keys that one query asks for, and milliseconds until the next one where not all of them are valid. */
const maxAsked = 500;
const askInterval = 20;

/** Milliseconds in which the uses of keys are stored once. */
const useInterval = 60_000;

/** Milliseconds that a stop waits until they are stored. */
const closeTimeout = 1_000;

/** A key of a request, in the form of the key table: its checksum is right. */
export interface SentKey {
  readonly key: string;
  readonly id: string;
  /** Its SHA-256. */
  readonly digest: Buffer;
}

/** A valid key. */
interface KnownKey {
  client: Principal;
  /** By `Date.now()`. */
  expiresAt: number;
  /** When it was looked up: see `KeyCache.#generation`. */
  generation: number;
  usedAt: number;
  /** Whether `usedAt` is not stored yet. */
  isUsed: boolean;
}

/** Why a key is not valid. */
export interface InvalidKey {
  readonly detail: string;
  /** The id of a key that was valid. */
  readonly keyId?: string;
}

export const unknownKey: InvalidKey = { detail: 'The API key is not valid.' };

interface Question {
  readonly sent: SentKey;
  readonly answer: PromiseWithResolvers<Principal | InvalidKey>;
}

/** Makes the client of a key; `former` is that of the same key, when it was looked up before. */
type ClientOf = (stored: StoredKey, former: Principal | undefined) => Principal;

/**
 * The keys of the key table that were used lately. A number in the database, its version, changes when a key is revoked; it is
 * read at most every half second, and only while requests come. Keys are looked up one by one, when they are used.
 */
export class KeyCache {
  readonly #table: KeyTable;
  readonly #clientOf: ClientOf;
  /** By the usual Authorization header, so that a header that is known costs one search. */
  readonly #known = new BoundedMap<string, KnownKey>(maxKnown);
  readonly #refused = new BoundedMap<string, InvalidKey>(maxRefused);
  #version: number | undefined;
  /** Rises with each change of the version: what was looked up before is looked up again. */
  #generation = 0;
  #readAt = -Infinity;
  #reading: Promise<void> | undefined;
  readonly #questions = new Map<string, Question>();
  #isAsking = false;
  readonly #used = new Map<string, KnownKey>();
  #useTimer: NodeJS.Timeout | undefined;

  constructor(table: KeyTable, clientOf: ClientOf) {
    this.#table = table;
    this.#clientOf = clientOf;
  }

  /** The client of a request with this Authorization header, if its key is known to be valid. */
  get(authorization: string): Principal | undefined {
    const known = this.#known.get(authorization);
    if (known === undefined) return undefined;
    const age = performance.now() - this.#readAt;
    if (age > refreshAge) {
      if (age > maxAge) return undefined;
      this.#refresh();
    }
    const now = Date.now();
    if (known.generation !== this.#generation || known.expiresAt <= now) return undefined;
    known.usedAt = now;
    if (!known.isUsed) this.#note(known);
    return known.client;
  }

  /** Looks a key up. @throws ApiError `unavailable` if the database does not answer */
  async find(sent: SentKey): Promise<Principal | InvalidKey> {
    const header = `Bearer ${sent.key}`;
    const refusal = this.#refused.get(header);
    if (refusal !== undefined) return refusal;
    if (performance.now() - this.#readAt > maxAge) await this.#read();
    return this.get(header) ?? this.#ask(header, sent);
  }

  /** Stores the last uses. */
  async close(): Promise<void> {
    await Promise.race([this.#storeUses(), pause(closeTimeout, undefined, { ref: false })]);
    clearTimeout(this.#useTimer);
  }

  /** Reads the version while requests go on; what fails is found by the requests that wait for it. */
  #refresh(): void {
    try {
      const reading = this.#read();
      if (reading instanceof Promise) reading.catch(() => undefined);
    } catch {
      // As above.
    }
  }

  #read(): MaybePromise<void> {
    if (this.#reading) return this.#reading;
    const readAt = performance.now();
    const note = (version: number): void => {
      this.#readAt = readAt;
      if (version === this.#version) return;
      this.#version = version;
      this.#generation++;
      this.#refused.clear();
    };
    const version = this.#table.version();
    if (!(version instanceof Promise)) return note(version);
    return (this.#reading = inTime(version)
      .then(note)
      .finally(() => (this.#reading = undefined)));
  }

  #ask(header: string, sent: SentKey): Promise<Principal | InvalidKey> {
    let question = this.#questions.get(header);
    if (!question) {
      question = { sent, answer: Promise.withResolvers() };
      this.#questions.set(header, question);
      if (!this.#isAsking) void this.#askAll();
    }
    return question.answer.promise;
  }

  /** Asks for all keys that are waiting, in one query after the other: a flood of wrong keys does not become one of queries. */
  async #askAll(): Promise<void> {
    this.#isAsking = true;
    while (this.#questions.size > 0) {
      const questions = [...this.#questions].slice(0, maxAsked);
      for (const [header] of questions) this.#questions.delete(header);
      if (!(await this.#answer(questions))) await pause(askInterval, undefined, { ref: false });
    }
    this.#isAsking = false;
  }

  /** @returns whether all keys are valid */
  async #answer(questions: readonly (readonly [string, Question])[]): Promise<boolean> {
    const generation = this.#generation;
    try {
      const ids = new Set(questions.map(([, { sent }]) => sent.id));
      const stored = new Map((await inTime(this.#table.find([...ids]))).map((row) => [row.id, row]));
      let areValid = true;
      for (const [header, { sent, answer }] of questions) {
        const found = stored.get(sent.id);
        const refusal = refusalOf(sent, found);
        if (refusal === undefined) {
          answer.resolve(this.#remember(header, found as StoredKey, generation));
        } else {
          areValid = false;
          this.#refused.set(header, refusal);
          answer.resolve(refusal);
        }
      }
      return areValid;
    } catch (error) {
      for (const [, { answer }] of questions) answer.reject(error);
      return false;
    }
  }

  #remember(header: string, stored: StoredKey, generation: number): Principal {
    const former = this.#known.get(header);
    const client = this.#clientOf(stored, former?.client);
    const expiresAt = stored.expiresAt === null ? Infinity : Date.parse(stored.expiresAt);
    const known = Object.assign(former ?? { isUsed: false }, { client, expiresAt, generation, usedAt: Date.now() });
    this.#known.set(header, known);
    if (!known.isUsed) this.#note(known);
    return client;
  }

  #note(known: KnownKey): void {
    known.isUsed = true;
    this.#used.set(known.client.name, known);
    this.#useTimer ??= setTimeout(() => void this.#storeUses(), useInterval).unref();
  }

  async #storeUses(): Promise<void> {
    const used = [...this.#used.values()];
    this.#used.clear();
    clearTimeout(this.#useTimer);
    this.#useTimer = undefined;
    if (used.length === 0) return;
    for (const known of used) known.isUsed = false;
    try {
      await this.#table.noteUses(
        used.map(({ client, usedAt }) => ({ id: client.name, at: new Date(usedAt).toISOString() })),
      );
    } catch (error) {
      log.warn('The last uses of API keys could not be stored; they are stored later.', { err: error });
      for (const known of used) this.#note(known);
    }
  }
}

/** Undefined for a valid key. It is found by its id, which is no secret: the time of the search tells nothing of the others. */
function refusalOf(sent: SentKey, stored: StoredKey | undefined): InvalidKey | undefined {
  // Rows that were written by hand may hold anything.
  const digest = Buffer.from(stored?.digest ?? '', 'hex');
  if (!stored || digest.length !== sent.digest.length || !timingSafeEqual(digest, sent.digest)) return unknownKey;
  const { id: keyId, revokedAt, expiresAt } = stored;
  if (revokedAt !== null) return { detail: 'The API key was revoked.', keyId };
  const isInTime = expiresAt === null || Date.parse(expiresAt) > Date.now();
  return isInTime ? undefined : { detail: 'The API key has expired.', keyId };
}

/** @throws ApiError `unavailable` if the database does not answer in time */
function inTime<T>(answer: MaybePromise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const expire = (): void => reject(unavailable('The database does not answer. Try again.'));
  const timer = setTimeout(expire, readTimeout);
  return Promise.race([answer, promise]).finally(() => clearTimeout(timer));
}
