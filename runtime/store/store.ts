import type { MaybePromise } from '../maybe-promise.ts';
import type { Value } from '../schema/fields.ts';

/**
 * Records are read and written as the JSON text of their answers, which the database engine builds; the tables a store
 * was opened with say how. Tables are named, not passed, and a write is plain data, so that it can be done on another
 * thread.
 *
 * Every method throws ApiError `unavailable` while the database cannot answer, and after `close`.
 */
export interface Store {
  /** The record with this id. */
  get(table: string, id: string): MaybePromise<Json | undefined>;
  /** The one record of a singleton. */
  only(table: string): MaybePromise<string>;
  /**
   * A page of records, newest first; of line items, those of one parent by `idx`, then oldest first. Undefined where
   * `after` is no line item of that parent.
   */
  list(table: string, page: Page): MaybePromise<Listing | undefined>;
  /** Resolves when the write is durable. */
  write(write: Write): Promise<WriteResult>;
  /** Resolves when the database answers and its schema is the wanted one. */
  check(): Promise<void>;
  /** Finishes the writes under way and lets go of the database. */
  close(): Promise<void>;
}

/** The JSON of a record, as a string or in UTF-8. */
export type Json = string | Buffer;

export interface Page {
  readonly limit: number;
  readonly offset: number;
  /** The id of the record that the page begins behind; `offset` is 0 then. A record with this id need not be there. */
  readonly after?: string;
  /** Which line items: those whose columns have these values. */
  readonly where?: Readonly<Record<string, Value>>;
}

export interface Listing {
  /** How many records there are on all pages together. */
  readonly total: number;
  /** Whether there are records behind this page. */
  readonly hasMore: boolean;
  /**
   * The records' JSON, separated by commas: one string, or chunks of it in UTF-8, in a list. A long page is streamed: each
   * chunk is fetched when it is asked for, and whoever asks may free it before the next one.
   */
  readonly items: string | readonly Uint8Array[] | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

export type Write =
  /** Stores a record: a value for every column of the table, in its order. A line item whose `idx` is null goes last. */
  | { readonly op: 'insert'; readonly table: string; readonly values: readonly Value[] }
  /**
   * Sets the columns of `set`, if those of `expected` hold the given values. Where something changes, `updated_at`
   * becomes `time`, unless it is later already.
   */
  | {
      readonly op: 'update';
      readonly table: string;
      readonly id: string;
      readonly set: Readonly<Record<string, Value>>;
      readonly expected: Readonly<Record<string, Value>>;
      readonly time: string;
    }
  /** Moves `field` from one of the values of `from` to the value `to`. */
  | {
      readonly op: 'transition';
      readonly table: string;
      readonly id: string;
      readonly field: string;
      readonly from: readonly string[];
      readonly to: string;
      readonly time: string;
    }
  /** Deletes a record and its line items. */
  | { readonly op: 'delete'; readonly table: string; readonly id: string }
  /** Gives line items of one parent new places, all or none. */
  | {
      readonly op: 'reorder';
      readonly table: string;
      readonly items: readonly { readonly id: string; readonly idx: number }[];
    };

/** What a write has done, or why it has done nothing. */
export type WriteResult =
  /** The record as it is now. */
  | { readonly outcome: 'written'; readonly text: string }
  | { readonly outcome: 'deleted' }
  /** The parent whose items were reordered, as `Page.where` takes it. */
  | { readonly outcome: 'reordered'; readonly parent: Readonly<Record<string, Value>> }
  | { readonly outcome: 'not_found'; readonly id: string }
  /** Columns of `expected` that hold another value. */
  | { readonly outcome: 'unexpected'; readonly columns: readonly string[] }
  | { readonly outcome: 'wrong_state'; readonly state: Value }
  | { readonly outcome: 'parent_missing' }
  /** There is no safe integer after the last item's `idx`. */
  | { readonly outcome: 'idx_exhausted' }
  /** Items to reorder that have another parent than the first one, by their places in the request. */
  | { readonly outcome: 'different_parent'; readonly places: readonly number[] };

/** A page of more bytes is streamed, so that no page fills the memory. */
export const maxPageBytes = 1_048_576;
