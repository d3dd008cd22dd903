import { hash } from 'node:crypto';
import { maxDigits } from '../model/decimals.ts';
import { unitsOf } from '../rules/decimal.ts';
import type { ColumnType, Value } from '../model/fields.ts';
import type { Column } from '../model/table.ts';

/** An identifier, quoted: any field may be called `default` or `order`. */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A value as an SQL literal, for both engines. */
export const literal = (value: Value): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);

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
  /**
   * An expression over rows: the exact sum of integers, or of the units of decimals, as a text. It may be two numbers with a
   * space between them, the first one in units of `sumPart`.
   */
  sum(column: Column, value: string): string;
}

/** See `ValueStorage.sum`. So many units of each of 9 billion values are fewer than 64 bits hold. */
export const sumPart = 1_000_000_000;

/** The storage of SQLite. It has no exact decimals: a column holds the number of their units, like 1250 for 12.50. */
export const unitStorage: ValueStorage = {
  // The type has the affinity NUMERIC: whole numbers stay whole. https://sqlite.org/datatype3.html#type_affinity
  type: ({ type, scale }) => (type === 'decimal' ? `decimal(${maxDigits}, ${scale})` : type),
  typeOf(spelled) {
    const [, scale] = /^decimal\(\d+, (\d+)\)$/.exec(spelled) ?? [];
    return scale === undefined ? commonTypeOf(spelled) : { type: 'decimal', scale: Number(scale) };
  },
  literal: ({ scale }, value) =>
    scale === undefined || value === null ? literal(value) : String(unitsOf(String(value), scale)),
  // Doubles do not hold 18 digits: the value is bound as a text.
  parameter: ({ type }, parameter) =>
    type === 'decimal' ? `cast(replace(${parameter}, '.', '') as integer)` : parameter,
  shown({ scale }, value) {
    if (scale === undefined) return value;
    if (scale === 0) return `cast(${value} as text)`;
    const unit = `1${'0'.repeat(scale)}`;
    const digits = `printf('%s%d.%0${scale}d', iif(${value} < 0, '-', ''), abs(${value}) / ${unit}, abs(${value}) % ${unit})`;
    return `case when ${value} is not null then ${digits} end`;
  },
  presentItems: (formerValues, list) =>
    `iif(${list} is null, null, (select json_group_array(${presentText(formerValues, 'value')}) from json_each(${list})))`,
  sortable: (_, value) => value,
  // A sum of more than 64 bits is an error of SQLite.
  sum: (_, value) => `concat_ws(' ', coalesce(sum(${value} / ${sumPart}), 0), coalesce(sum(${value} % ${sumPart}), 0))`,
};

/** A short text that is another one for other renames of values; undefined if none is renamed. */
export const renamesOf = ({ formerValues }: Pick<Column, 'formerValues'>): string | undefined =>
  formerValues && hash('sha256', JSON.stringify(formerValues), 'hex').slice(0, 12);

/**
 * An expression: a text by its present name, if it is a former one. Its lines are those of `generated/schema.sql`. Citus spoils
 * `case text when …` in a write.
 */
const presentText = (formerValues: Readonly<Record<string, string>>, text: string): string => {
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
