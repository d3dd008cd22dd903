import type { MaybePromise } from '../model/maybe-promise.ts';
import type { Table } from '../model/table.ts';
import type { Histogram } from '../observability/histogram.ts';
import type { Items, Listing, Page, Projection } from './page.ts';
import type { Once, Origin, StoredAnswer, Write, WriteResult } from './write.ts';

/** A database of records. */
export interface Store {
  /**
   * The records of an organization, for one client; `mainOrganization` is there from the start. With replicas, a
   * read may be some seconds behind, but finds what was written by the same `Records`, and by all others before they were made.
   */
  of(organization: number): Records;
  readonly keys: KeyTable;
  /** Resolves if the database answers and has the desired schema. */
  check(): Promise<void>;
  /** The counters of this process since its start. */
  metrics(): StoreMetrics;
  /** The size and the row counts of the database. Quick, however large it is. */
  contents(): Promise<StoreContents>;
  /** Finishes the pending writes and closes the database. */
  close(): Promise<void>;
}

/**
 * The records of one organization. They are read and written as the JSON that a response contains, which is
 * built from the tables that the store was opened with. Tables are passed by name, and a write is plain data, so that
 * another thread can do it.
 *
 * Every method throws ApiError `unavailable` while the database cannot answer, and after `close`; `overloaded` if there is
 * too much to do, or it has taken too long.
 */
export interface Records {
  /** The tables that the store was opened with. */
  readonly tables: readonly Table[];
  /** @param isCurrent whether a replica is not asked */
  get(table: string, id: string, isCurrent?: boolean): MaybePromise<StoredRecord | undefined>;
  /** A record as the projection shows it, in the form of `Listing.items`. */
  show(table: string, id: string, projection: Projection): MaybePromise<Items | undefined>;
  /** The one record of a singleton. */
  only(table: string, isCurrent?: boolean): MaybePromise<StoredRecord>;
  /**
   * A page of records, newest first; of line items, those of one parent by `idx`, then oldest first. Undefined if `after`
   * is no line item of that parent, or in a list that is not sorted by creation no record.
   */
  list(table: string, page: Page): MaybePromise<Listing | undefined>;
  /** The newest id of a table; of one that was renamed, also the newest with each former name. */
  newest(table: string): MaybePromise<readonly string[]>;
  /** Resolves when the write is durable. */
  write(write: Write, origin?: Origin): Promise<WriteResult>;
  /** The answer to a request that was done at most a day before this time: of one that is stored in more bytes only the digest. */
  answer(once: Once, time: string, maxBytes?: number): Promise<StoredAnswer | undefined>;
  /** A page of what was done to records. It may have fewer events than there are, or none: see `EventPage`. */
  events(query: EventQuery): Promise<EventPage>;
}

/** The API keys in the database. Every method throws ApiError `unavailable` or `overloaded` as those of `Records` do. */
export interface KeyTable {
  /** The keys with these ids, also those that are revoked or have expired. */
  find(ids: readonly string[]): MaybePromise<readonly StoredKey[]>;
  /** Notes when keys were last used, unless something later is noted. */
  noteUses(uses: readonly KeyUse[]): Promise<void>;
}

/** An API key. Times are ISO 8601 in UTC. */
export interface StoredKey {
  readonly id: string;
  readonly organization: number;
  readonly organizationName: string;
  /** For people. */
  readonly name: string;
  /** The SHA-256 of the key, in hexadecimal. */
  readonly digest: string;
  /** Separated by spaces. */
  readonly scopes: string;
  /** As `parseRate` takes it; null for the default. */
  readonly rate: string | null;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

export interface KeyUse {
  readonly id: string;
  readonly at: string;
}

export interface StoreMetrics {
  /** Writes that wait to be executed. */
  readonly queuedWrites: number;
  /** The duration of each commit, in seconds: on SQLite mostly its fsync, on PostgreSQL the whole write. */
  readonly commits: Histogram;
  /** The number of writes in each group; on PostgreSQL there are no groups. */
  readonly groups: Histogram;
  readonly cacheHits?: number;
  readonly cacheMisses?: number;
  /** Reads that a replica has answered, and those that failed there and went to the primary. */
  readonly replicaReads?: number;
  readonly replicaFailures?: number;
  /** Open connections to a database server. */
  readonly connections?: number;
}

export interface StoreContents {
  /** The size of the database. */
  readonly bytes: number;
  /** The number of rows of each table of records, of all organizations. Line items are counted for each parent, and their sum would take long. */
  readonly rows: ReadonlyMap<string, number>;
}

/** Writes, for `StoreMetrics.groups`. */
export const groupLimits = [1, 2, 5, 10, 20, 50, 100, 200, 500];

/** The JSON of a record, as a string or in UTF-8. */
export type Json = string | Buffer;

export interface StoredRecord {
  readonly json: Json;
  /** Each write that changes the record raises it. */
  readonly version: number;
}

/** The events of a page: the values behind `resources` are equal to a value of the event. */
export interface EventQuery {
  readonly limit: number;
  readonly isDescending?: boolean;
  /** The number behind which the page begins. */
  readonly after?: number;
  /** The number up to which it goes. */
  readonly until?: number;
  readonly resources?: readonly string[];
  readonly number?: number;
  readonly record?: string;
  /** The lowest and the highest version that the record has after them. */
  readonly versions?: readonly [number, number];
  readonly operation?: string;
  readonly actor?: string;
  readonly requestId?: string;
  readonly time?: string;
  /** Bytes of changes that the events have together, unless there is one alone: without it `maxPageBytes`. */
  readonly maxBytes?: number;
}

export interface EventPage {
  /** The JSON of each. */
  readonly events: readonly string[];
  /** Whether there may be more. */
  readonly hasMore: boolean;
  /** The number behind which the next page begins. */
  readonly last: number;
  /** The number of the first event that is there, if the one behind `after` was removed. */
  readonly firstKept?: number;
}
