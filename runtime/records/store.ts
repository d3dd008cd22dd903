import type { MaybePromise } from '../model/maybe-promise.ts';
import type { Histogram } from '../observability/histogram.ts';
import type { Value } from '../model/fields.ts';
import { currentTime } from '../model/ids.ts';
import type { ReferencedBy } from '../model/errors.ts';
import type { Transition } from '../model/operations.ts';
import type { Operator } from '../model/query.ts';
import type { Violation } from '../rules/evaluate.ts';
import type { Table } from '../model/table.ts';

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
  /** The key with this id, also if it is revoked or has expired. */
  find(id: string): MaybePromise<StoredKey | undefined>;
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

/** The origin of a write, as events tell it. */
export interface Origin {
  /** The name of a `Principal`. */
  readonly actor: string | null;
  readonly requestId: string | null;
  /** ISO 8601 in UTC. */
  readonly time: string;
  readonly once?: Once | undefined;
}

/** A request that is done once, however often it is sent. */
export interface Once {
  /** The name of the `Principal` that chose the key. */
  readonly owner: string;
  readonly key: string;
  /** The hash of the request: another one with the same key is refused. */
  readonly digest: string;
  /** The ids that `PreparedWrite` has. */
  readonly ids: readonly (string | undefined)[];
}

/** The digest of the request that was done; its result and ids, unless they are too long. */
export interface StoredAnswer extends Pick<Once, 'digest'> {
  readonly answer: (Pick<Once, 'ids'> & { readonly result: WriteResult }) | undefined;
}

/** The origin of a write of no request. */
export const unknownOrigin = (): Origin => ({ actor: null, requestId: null, time: currentTime() });

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
}

export interface Page {
  readonly limit: number;
  readonly offset: number;
  /** The cursor: the id of the record after which the page begins; `offset` is 0 then. The record may be deleted. */
  readonly after?: string;
  /** The parent of line items: columns and their values. */
  readonly where?: Readonly<Record<string, Value>>;
  /** Conditions that hold for all records of the list. */
  readonly filter?: readonly Condition[];
  /** Folded words (see `fold`), each of which begins a word of the record. */
  readonly search?: readonly string[];
  /**
   * The order of the records; by default newest first, and line items by `idx`. The record of `after` must exist then,
   * unless the first one is `id` or `created_at`.
   */
  readonly sort?: readonly SortKey[];
  /** Absent: whole records. */
  readonly projection?: Projection;
}

/** The shown part of each record. */
export interface Projection {
  /** Names of columns, `id` among them; absent: all of them. */
  readonly fields?: readonly string[];
  /** Names of `expandablesOf`: a list of the first line items, or the record that a reference names. */
  readonly expand?: readonly string[];
  /** The names in `expand` of references whose records are shown as null. */
  readonly withheld?: readonly string[];
}

/** A condition on a column. Null meets none but `null`. */
export interface Condition {
  readonly column: string;
  readonly operator: Operator;
  /** One value, but for `in`; of `null`, true or false. A time is a timestamp; one within a millisecond has digits behind it. */
  readonly values: readonly Value[];
}

/** Texts are sorted by code points; nulls are last, in both directions. */
export interface SortKey {
  readonly column: string;
  readonly isDescending: boolean;
}

export interface Listing {
  /** The number of records on all pages. */
  readonly total: number;
  /** Whether records follow this page. */
  readonly hasMore: boolean;
  readonly items: Items;
}

/**
 * The JSON of records, separated by commas: a string, a list of UTF-8 chunks, or if it is long a stream of them. A chunk of a
 * stream is read when it is requested; the consumer may free it before the next one.
 */
export type Items = string | readonly Uint8Array[] | ItemStream;

export type ItemStream = AsyncIterable<Uint8Array>;

/** The versions of which the record must have one for a write. */
export type Versions = readonly number[];

/** The version of a record that a write relies on. */
export interface Guard {
  readonly table: string;
  readonly id: string;
  readonly version: number;
}

/** A write of one record, or of several line items. */
export type SingleWrite =
  /** Stores a record: a value for each column of the table, in its order. A line item whose `idx` is null is appended. */
  | { readonly op: 'insert'; readonly table: string; readonly values: readonly Value[]; readonly version?: number }
  /**
   * Sets the columns of `set` if those of `expected` have the given value, or one of the given ones. If a value changes,
   * `updated_at` becomes `time` unless it is later.
   */
  | {
      readonly op: 'update';
      readonly table: string;
      readonly id: string;
      readonly set: Readonly<Record<string, Value>>;
      readonly expected: Readonly<Record<string, Value | readonly Value[]>>;
      readonly time: string;
      readonly versions?: Versions;
    }
  /** Changes `field` from one of the values of `from` to the value `to`, and the columns of `values`. */
  | (Omit<Transition, 'input'> & {
      readonly op: 'transition';
      /** The values of its input, as columns hold them. */
      readonly input?: Readonly<Record<string, Value>>;
      readonly table: string;
      readonly id: string;
      readonly values?: Readonly<Record<string, Value>>;
      readonly time: string;
      readonly versions?: Versions;
    })
  /**
   * Deletes a record and its line items, and does with the records that reference it what their references say. `updated_at` of
   * those that it changes becomes `time` unless it is later. With `isAlone`, it is stale if there are such items or records.
   */
  | {
      readonly op: 'delete';
      readonly table: string;
      readonly id: string;
      readonly time: string;
      readonly versions?: Versions;
      readonly isAlone?: true;
    }
  /** Sets `idx` of line items of one parent: of all or none. */
  | {
      readonly op: 'reorder';
      readonly table: string;
      readonly items: readonly { readonly id: string; readonly idx: number }[];
    };

export type Write =
  | SingleWrite
  /**
   * Does writes in their order, all of them or none. A trial does none: it finds the first one that fails. `table` is that of
   * the first write.
   */
  | {
      readonly op: 'batch';
      readonly table: string;
      readonly writes: readonly SingleWrite[];
      readonly isTrial: boolean;
      /** It is done only if these records have these versions. */
      readonly guards?: readonly Guard[];
      /** The indices of writes whose effects are not among the results. */
      readonly hidden?: readonly number[];
      /** Bytes that the results may have together; `maxBatchResults` without it. */
      readonly maxResults?: number;
    };

/** A write and the organization whose records it is about. */
export type OrganizationWrite<Op extends Write['op'] = Write['op']> = WriteOf<Op> & {
  readonly organization: number;
  readonly origin: Origin;
  /** The records of inserts that are sent together with this one, and follow it: it clashes with none of them. */
  readonly later?: readonly Value[];
};

export type WriteOf<Op extends Write['op']> = Write & { readonly op: Op };

/** The effect of a single write. `others` are the ids of records that have changed with it, as their totals have. */
export type Effect =
  /** The record after the write. */
  | {
      readonly outcome: 'written';
      readonly json: string;
      readonly version: number;
      readonly others?: readonly string[];
    }
  | { readonly outcome: 'deleted'; readonly others?: readonly string[] }
  | {
      readonly outcome: 'reordered';
      /** The parent whose items were reordered, in the form of `Page.where`. */
      readonly parent: Readonly<Record<string, Value>>;
      /** In a batch: the first page of the parent's list, as it is between this write and the next one. */
      readonly page?: Listing & { readonly items: string };
    };

/** The reason why a single write has had no effect. */
export type WriteRejection =
  | { readonly outcome: 'not_found'; readonly id: string }
  /** The record has another version than the write names. */
  | { readonly outcome: 'stale'; readonly version: number }
  /** Columns of `expected` that have another value. */
  | { readonly outcome: 'unexpected'; readonly columns: readonly string[] }
  | { readonly outcome: 'wrong_state'; readonly state: Value }
  /** Columns that a transition requires, and that are null. */
  | { readonly outcome: 'null_in_required'; readonly columns: readonly string[] }
  /** Rules that the record would break. */
  | { readonly outcome: 'rule_violated'; readonly violations: readonly Violation[] }
  | { readonly outcome: 'parent_missing' }
  /** The state of a record allows no such write: its id, unless the same batch would have created it. */
  | {
      readonly outcome: 'locked';
      readonly resource: string;
      readonly title: string;
      readonly id: string | undefined;
      readonly field: string;
      readonly state: string;
    }
  /** Another record has the values of unique fields: its id, unless the same batch would have created it. */
  | { readonly outcome: 'not_unique'; readonly fields: readonly string[]; readonly id?: string }
  /** Columns of references to records that do not exist. */
  | { readonly outcome: 'reference_missing'; readonly columns: readonly string[] }
  | { readonly outcome: 'still_referenced'; readonly by: readonly ReferencedBy[] }
  /** A delete would delete or change more than `maxCascade` other records. */
  | { readonly outcome: 'cascade_too_large' }
  /** No safe integer follows the `idx` of the last item. */
  | { readonly outcome: 'idx_exhausted' }
  /** Indices in `items` of those whose parent is not that of the first one. */
  | { readonly outcome: 'different_parent'; readonly indices: readonly number[] }
  /** The JSON of the record would have more bytes than `Table.maxBody`. */
  | { readonly outcome: 'record_too_large' }
  /** The results of the writes before it in a batch are too long together, or with its own. */
  | { readonly outcome: 'results_too_large' };

export type SingleResult = Effect | WriteRejection;

export type WriteResult =
  | SingleResult
  /** The request was done before: nothing is done now. */
  | { readonly outcome: 'repeated' }
  /** The record of a guard has another version, or is gone: nothing is done. */
  | { readonly outcome: 'outdated'; readonly id: string }
  /** The effects of a batch; `others` also of its hidden writes. */
  | { readonly outcome: 'done'; readonly results: readonly Effect[]; readonly others?: readonly string[] }
  /** A batch was not done: the index of the first write that failed, and why. If no write of a trial fails: their number. */
  | { readonly outcome: 'refused'; readonly at: number; readonly reason: WriteRejection | undefined };

/** Whether a write was done: all that it has changed is undone otherwise. */
export const isDone = ({ outcome }: WriteResult): boolean =>
  outcome === 'written' || outcome === 'deleted' || outcome === 'reordered' || outcome === 'done';
