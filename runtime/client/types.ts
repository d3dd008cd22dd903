/** One page of a list. */
export interface Page<T> {
  readonly data: T[];
  readonly has_more: boolean;
  /** The number of all records of the list, as far as they match its filters. */
  readonly total: number;
}

export interface Deleted {
  readonly id: string;
  readonly deleted: true;
}

/**
 * A record with its ETag, the name of its version. The property is not enumerable, and a record with a field of that name has
 * the field.
 */
export type Tagged<T> = 'etag' extends keyof T ? T : T & { readonly etag: string };

type Flat<T> = { [K in keyof T]: T[K] };

type ServiceField = 'id' | 'created_at' | 'updated_at';

/** The body of a create: required fields, and any of the others that the service does not set itself. */
export type Creatable<T, Required extends keyof T = never, ReadOnly extends keyof T = never> = Flat<
  Pick<T, Required> & Partial<Omit<T, ServiceField | Required | ReadOnly>>
>;

/** The body of an update: any of the fields; those of the service only with the value that they have. */
export type Updatable<T, NotNull extends keyof T = never> = Flat<
  Partial<Omit<T, NotNull>> & { [K in NotNull]?: NonNullable<T[K]> }
>;

/** Operators of all filters. */
interface Equality<V> {
  readonly eq?: V | undefined;
  /** Null is not unequal to a value: `ne` leaves it out. */
  readonly ne?: V | undefined;
  readonly in?: readonly V[] | undefined;
  readonly null?: boolean | undefined;
}

interface Range<V> {
  readonly gt?: V | undefined;
  readonly gte?: V | undefined;
  readonly lt?: V | undefined;
  readonly lte?: V | undefined;
}

interface TextOperators<V> extends Equality<V>, Range<V> {
  /** The beginning of the text; case matters. */
  readonly prefix?: string | undefined;
}

interface OrderedOperators<V> extends Equality<V>, Range<V> {}

interface KeyOperators extends Pick<Equality<string>, 'eq' | 'in'>, Range<string> {}

/** A text: these are suggested, and older records may have others. */
type Suggested<V> = NonNullable<V> | (string & {});

/** A value of a list. */
type ValueOf<L> = L extends readonly (infer V)[] ? (V extends string ? Suggested<V> : V) : never;

/** An object or an array of any form. */
export type Json = { readonly [key: string]: unknown } | readonly unknown[];

/** The filter of a field: the value that it has, or operators that all hold; undefined is none. */
export type TextFilter<V = string> = Suggested<V> | TextOperators<Suggested<V>> | undefined;
export type DateFilter = string | OrderedOperators<string> | undefined;
export type NumberFilter = number | OrderedOperators<number> | undefined;
export type DecimalFilter = string | OrderedOperators<string> | undefined;
/** A filter of strings whose format has no order. */
export type UnorderedFilter = string | Equality<string> | undefined;
export type BooleanFilter = boolean | Equality<boolean> | undefined;
export type ListFilter<L> = { readonly has?: ValueOf<L> | undefined; readonly null?: boolean | undefined } | undefined;
/** The filter of objects and arrays of any form. */
export type JsonFilter = { readonly null?: boolean | undefined } | undefined;
export type ReferenceFilter = string | Pick<Equality<string>, 'eq' | 'in' | 'null'> | undefined;
export type KeyFilter = string | KeyOperators | undefined;

/** The filters that every list of records has. */
export interface RecordFilter {
  readonly id?: KeyFilter;
  readonly created_at?: KeyFilter;
}

/** The filters that every list of line items has. */
export interface ItemFilter {
  readonly id?: KeyFilter;
}

type SortKey<Field extends string> = Field | `-${Field}`;

/** The parts of records that a response has: some of their fields, lists of their line items, and records that they name. */
export interface Projection<Field, Item> {
  /** Only these fields, and `id`. */
  readonly fields?: readonly Field[] | undefined;
  /** Each record with the first 100 of these line items or records that name it, and the records that these references name. */
  readonly expand?: readonly Item[] | undefined;
}

/** The query of a list. */
export interface ListQuery<Filter, Sort extends string, Field, Item, Search> extends Projection<Field, Item> {
  /** The records have to match all filters. */
  readonly filter?: Filter | undefined;
  /** Words, each of which begins a word of the fields that the list is searched in. */
  readonly q?: Search | undefined;
  /** Up to three fields; `-` before one is for descending. */
  readonly sort?: SortKey<Sort> | readonly SortKey<Sort>[] | undefined;
  /** The number of records in a page, 1 to 1000: 20 by default, and 100 for `each`. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  /** The id of the record behind which the page begins. */
  readonly after?: string | undefined;
}

/** A count: the field of its groups, the sums in each, and the records. */
export interface CountQuery<Filter, By, Sum, Search> {
  /** A group for each value of this field; without it, there is one. */
  readonly by?: By | undefined;
  readonly sum?: readonly Sum[] | undefined;
  /** The records have to match all filters. */
  readonly filter?: Filter | undefined;
  readonly q?: Search | undefined;
}

/** The same of line items: those of a parent, or of those parents whose ids begin so, if they are counted by them. */
export interface ItemCountQuery<Filter, By, Sum, Search> extends CountQuery<
  Filter & { parent_id?: { readonly prefix: string } | undefined },
  By,
  Sum,
  Search
> {
  readonly parent_id?: string | undefined;
}

/** A value of a field, or null, with the number of its records, and their sums. */
export type Group<T, By extends keyof T, Sum extends keyof T> = Flat<
  { readonly [K in By]: T[K] | null } & { readonly count: number } & { readonly [K in Sum]: NonNullable<T[K]> }
>;

/** Counts and sums: the largest group first, that of null last. */
export interface Counted<T, By extends keyof T, Sum extends keyof T> {
  readonly data: Group<T, By, Sum>[];
  /** The number of the records in all groups. */
  readonly total: number;
}

/** The record that a reference names, under its key; null if it is gone, or the API key may not read it. */
export interface Referenced<Key extends string, T> {
  readonly key: Key;
  readonly record: T;
}

/** The parts that a record is shown with: the first line items, or the record that a reference names. */
type Expanded<Items, Item extends keyof Items> = {
  [K in Item as Items[K] extends Referenced<infer Key, unknown> ? Key : K]: Items[K] extends Referenced<string, infer T>
    ? T | null
    : Page<Items[K]>;
};

/** A record as it is shown by itself: all of it, and no more, has its ETag. */
export type ShownAlone<T, Field extends keyof T, Items, Item extends keyof Items> = [keyof T, Item] extends [
  Field,
  never,
]
  ? Tagged<T>
  : Shown<T, Field, Items, Item>;

/** A record as it is shown. */
export type Shown<T, Field extends keyof T, Items, Item extends keyof Items> = ([keyof T] extends [Field]
  ? T
  : Pick<T, Field | (keyof T & 'id')>) &
  ([Item] extends [never] ? unknown : Expanded<Items, Item>);
