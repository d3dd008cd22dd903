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

/** The filter of a field: the value that it has, or operators that all hold; undefined is none. */
export type TextFilter<V = string> = Suggested<V> | TextOperators<Suggested<V>> | undefined;
export type DateFilter = string | OrderedOperators<string> | undefined;
export type NumberFilter = number | OrderedOperators<number> | undefined;
export type BooleanFilter = boolean | Equality<boolean> | undefined;
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

/** The parts of records that a response has: some of their fields, and lists of their line items. */
export interface View<Field, Item> {
  /** Only these fields, and `id`. */
  readonly fields?: readonly Field[] | undefined;
  /** Each record with the first 100 of these line items. */
  readonly expand?: readonly Item[] | undefined;
}

/** The query of a list. */
export interface ListQuery<Filter, Sort extends string, Field, Item, Search> extends View<Field, Item> {
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

/** A record as it is shown. */
export type Shown<T, Field extends keyof T, Items, Item extends keyof Items> = ([keyof T] extends [Field]
  ? T
  : Pick<T, Field | (keyof T & 'id')>) &
  ([Item] extends [never] ? unknown : { [K in Item]: Page<Items[K]> });
