import type { z } from 'zod';
import {
  type ColumnType,
  type Dates,
  type Decimals,
  factsOf,
  type Jsons,
  type Lists,
  type References,
  type Unordered,
} from './fields.ts';
import { formatRule } from './formats.ts';
import type { Flat, Shape } from './shapes.ts';
import type { ListFields } from './table.ts';

/** The kind of values of a field, as far as filters differ by it; `unordered` are strings of a format without an order, `key` are `id` and `created_at`. */
export type Content =
  'string' | 'unordered' | 'reference' | 'date' | 'number' | 'decimal' | 'boolean' | 'list' | 'free' | 'key';

const equality = ['eq', 'ne', 'in', 'null'] as const;
const ranges = ['gt', 'gte', 'lt', 'lte'] as const;

/** The operators of filters by what the field holds: `eq` is written `field=value`, all others `field[operator]=value`. */
export const operators = {
  string: [...equality, ...ranges, 'prefix'],
  unordered: equality,
  reference: ['eq', 'in', 'null'],
  date: [...equality, ...ranges],
  number: [...equality, ...ranges],
  decimal: [...equality, ...ranges],
  boolean: equality,
  list: ['has', 'null'],
  free: ['null'],
  key: ['eq', 'in', ...ranges],
} as const satisfies Readonly<Record<Content, readonly string[]>>;

export type Operator = (typeof operators)[Content][number];

const contents: Readonly<Record<ColumnType, Content>> = {
  text: 'string',
  bigint: 'number',
  'double precision': 'number',
  decimal: 'decimal',
  boolean: 'boolean',
  json: 'list',
};

/** The name of the parameter of a filter. */
export const parameterOf = (field: string, operator: Operator): string =>
  operator === 'eq' ? field : `${field}[${operator}]`;

/** The kind of values of a declared field. */
export function contentOf(field: z.ZodType): Content {
  const { type, format, references, itemType } = factsOf(field);
  if (references) return 'reference';
  if (type === 'json' && itemType === undefined) return 'free';
  if (format && formatRule(format).order === 'none') return 'unordered';
  return format === 'date' || format === 'date-time' ? 'date' : contents[type];
}

/** The query of a list: its fields, and the types of its parameters for a typed client. */
export interface Query<Parameters = unknown> extends ListFields {
  /** Never there: it carries the types. */
  readonly parameters?: Parameters;
}

type NameOf<S extends Shape> = keyof S & string;

/** A field without null. */
type Inner<F> = F extends z.ZodNullable<infer I> ? I : F;
/** The type of a field's values, or of each in its lists. */
type ValueOf<F> = Inner<F> extends z.ZodType<infer V> ? (V extends readonly (infer Item)[] ? Item : V) : never;

type ContentOf<F> =
  Inner<F> extends Dates
    ? 'date'
    : Inner<F> extends Decimals
      ? 'decimal'
      : Inner<F> extends Unordered
        ? 'unordered'
        : Inner<F> extends References
          ? 'reference'
          : Inner<F> extends Lists
            ? 'list'
            : Inner<F> extends Jsons
              ? 'free'
              : [ValueOf<F>] extends [string]
                ? 'string'
                : [ValueOf<F>] extends [number]
                  ? 'number'
                  : 'boolean';

type StringName<S extends Shape> = { [K in NameOf<S>]: ContentOf<S[K]> extends 'string' ? K : never }[NameOf<S>];

/**
 * The text of a value in a URL, and of several with commas between them. A comma of a string is escaped. Strings of an enum are
 * suggested: older records may have others.
 */
type Text<V> = V extends string ? V | (string & {}) : V extends number | boolean ? `${V}` : never;
type Texts<V> = V extends string ? string : Text<V> | `${Text<V>},${string}`;

/** The names of a field's filters that take such a value. */
type FilterName<Name extends string, C extends Content, Taken extends Operator> = {
  [O in Extract<(typeof operators)[C][number], Taken>]: O extends 'eq' ? Name : `${Name}[${O}]`;
}[Extract<(typeof operators)[C][number], Taken>];

type Filters<S extends Shape, Name extends NameOf<S>> = {
  [K in Name as FilterName<K, ContentOf<S[K]>, Exclude<Operator, 'in' | 'null' | 'prefix'>>]?: Text<ValueOf<S[K]>>;
} & {
  [K in Name as FilterName<K, ContentOf<S[K]>, 'in'>]?: Texts<ValueOf<S[K]>>;
} & {
  [K in Name as FilterName<K, ContentOf<S[K]>, 'null'>]?: 'true' | 'false';
} & {
  [K in Name as FilterName<K, ContentOf<S[K]>, 'prefix'>]?: string;
};

/** The fields that the list of every record can be filtered and sorted by. */
type KeyOf<S extends Shape> = NameOf<S> & ('id' | 'created_at');

/** Names with commas between them. */
type NameList<Name extends string> = Name | `${Name},${string}`;

type ParametersOf<S extends Shape, Filter extends NameOf<S>, Sort extends NameOf<S>, Search> = Flat<
  {
    limit?: string;
    offset?: string;
    after?: string;
    sort?: NameList<`${'' | '-'}${Sort | KeyOf<S>}`>;
    fields?: NameList<NameOf<S>>;
    expand?: string;
  } & { [K in KeyOf<S> as FilterName<K, 'key', Operator>]?: string } & Filters<S, Filter> &
    ([Search] extends [never] ? unknown : { q?: string })
>;

/**
 * The query of a list, whose parameters follow from the fields that it can be filtered, sorted and searched by.
 *
 * @param _schema the record, for its types
 * @param fields names of its fields; those to search are strings
 */
export function query<
  S extends Shape,
  Filter extends NameOf<S> = never,
  Sort extends NameOf<S> = never,
  Search extends StringName<S> = never,
>(
  _schema: z.ZodObject<S>,
  fields: {
    filter?: readonly Filter[];
    sort?: readonly Sort[];
    search?: readonly Search[];
    ignoreCase?: readonly (Sort & StringName<S>)[];
  } = {},
): Query<ParametersOf<S, Filter, Sort, Search>> {
  const { filter = [], sort = [], search = [], ...more } = fields;
  return { filter, sort, search, ...more };
}
