import { hash } from 'node:crypto';
import type { ColumnType, Value } from '../model/fields.ts';
import type { Column } from '../model/table.ts';

/** An identifier, quoted: any field may be called `default` or `order`. */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A value as an SQL literal, for both engines. */
export const literal = (value: Value): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);

/** The longest name in bytes: PostgreSQL cuts what is behind. */
const maxName = 63;

/**
 * A name that PostgreSQL does not cut: in a long one, a hash takes the place of the last part of `start`.
 *
 * @param kept characters of `start` in a long name
 */
export const shortName = (start: string, end: string, kept = maxName - end.length - 17): string =>
  start.length + end.length <= maxName
    ? start + end
    : `${start.slice(0, kept)}.${hash('sha256', start, 'hex').slice(0, 16)}${end}`;

/** An engine: features may have syntax for each. */
export type Engine = 'sqlite' | 'postgres';

export type StoredType = Pick<Column, 'type' | 'scale'>;

/** Whether a column holds lists, as JSON. */
export const isList = ({ type }: StoredType): boolean => type === 'json';

/** The types that both engines spell alike. */
const commonTypes: readonly string[] = ['text', 'bigint', 'double precision', 'boolean', 'json'] satisfies ColumnType[];

export const commonTypeOf = (spelled: string): StoredType | undefined =>
  commonTypes.includes(spelled) ? { type: spelled as ColumnType } : undefined;

/** How an engine stores the values of columns. Records hold a decimal as a string. */
export interface ValueStorage {
  /** The type of a column, as the catalog of the engine spells it. */
  type(column: StoredType): string;
  /** The type that the catalog spells so; undefined if no column of a service has it. A scale that it does not tell is undefined. */
  typeOf(spelled: string): StoredType | undefined;
  /** A value of a record, as an SQL literal of the column. */
  literal(column: Column, value: Value): string;
  /** A parameter with a value of a record, as the column stores it. */
  parameter(column: Column, parameter: string): string;
  /** An expression: a stored value, as records show it. */
  shown(column: StoredType, value: string): string;
  /** An expression: a list with the present names of its values. */
  presentItems(formerValues: Readonly<Record<string, string>>, list: string): string;
  /** An expression: a stored value, as it is compared and sorted; texts by code points. */
  sortable(column: Column, value: string): string;
}

/** A short text that is another one for other renames of values; undefined if none is renamed. */
export const renamesOf = ({ formerValues }: Pick<Column, 'formerValues'>): string | undefined =>
  formerValues && hash('sha256', JSON.stringify(formerValues), 'hex').slice(0, 12);

/**
 * An expression: a text by its present name, if it is a former one. Its lines are those of `generated/schema.sql`. Citus spoils
 * `case text when …` in a write.
 */
export const presentText = (formerValues: Readonly<Record<string, string>>, text: string): string => {
  const names = Object.entries(formerValues).map(
    ([former, name]) => `\n    when ${text} = ${literal(former)} then ${literal(name)}`,
  );
  return `(case${names.join('')}\n    else ${text} end)`;
};

/** An expression: a stored value of a column by its present name, or a list by those of its values. */
export function presentName(column: Column, value: string, storage: ValueStorage): string {
  const { formerValues } = column;
  if (!formerValues) return value;
  return isList(column) ? storage.presentItems(formerValues, value) : presentText(formerValues, value);
}

/** The stored value of a column, as its record shows it: by its present name, and the backfill in place of null. */
export function shownValue(column: Column, storage: ValueStorage): string {
  const value = presentName(column, quote(column.name), storage);
  return column.backfill === undefined ? value : `coalesce(${value}, ${storage.literal(column, column.backfill)})`;
}

/** The stored value of a column, as lists are sorted by it. */
export const sortableValue = (column: Column, storage: ValueStorage): string =>
  storage.sortable(column, shownValue(column, storage));
