import type { Value } from '../model/fields.ts';
import type { Operator } from '../model/query.ts';

/** The part of a list that a request asks for. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
  /** The cursor: the id of the record after which the page begins; `offset` is 0 then. The record may be deleted. */
  readonly after?: string;
  /** The parent of line items: columns and their values. */
  readonly where?: Readonly<Record<string, Value>>;
  /** Conditions that hold for all records of the list. */
  readonly filter?: readonly Condition[];
  /** Folded texts, each of which begins a word of the record. */
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
  /** The tables of which references show no record, but null. */
  readonly withheld?: readonly string[];
}

/** A condition on a column, which may be a hidden one. Null meets none but `null`. */
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

/** A page as it was found. */
export interface Listing {
  /** The number of records on all pages. */
  readonly total: number;
  /** Whether records follow this page. */
  readonly hasMore: boolean;
  readonly items: Items;
}

/** The JSON of records, separated by commas: a string, or UTF-8 in chunks. */
export type ShownRecords = string | readonly Uint8Array[];

/** Records whose JSON is longer than a page that is read at once: `streamRecords` reads them. */
export interface LongItems {
  /** The first ones, if they were read with the page: fresh bytes. */
  readonly first?: readonly Uint8Array[];
  /** The ids of the others. */
  readonly ids: readonly string[];
}

export type Items = ShownRecords | LongItems;

export const areLong = (items: Items): items is LongItems => typeof items === 'object' && 'ids' in items;

/** UTF-8. A chunk is read when it is requested; the consumer may free it before the next one. */
export type ItemStream = AsyncIterable<Uint8Array>;
