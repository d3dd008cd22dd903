import type { DatabaseSync } from 'node:sqlite';
import type { ColumnType } from '../schema/fields.ts';
import type { Conversion, Engine } from './plan.ts';
import { columnDefinition, commonDialect, literal, quote } from '../store/ddl.ts';

type Stored = string | number | null;
type Given = string | number;

const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);

/** A stored value as another type stores it; null where it is no value of that type. */
function stored(value: Given, from: ColumnType, to: ColumnType): Stored {
  const plain = from === 'boolean' && to === 'text' ? (value === 1 ? 'true' : 'false') : value;
  if (to === 'text') return String(plain);
  if (to === 'boolean') return value === 'true' || value === 1 ? 1 : value === 'false' || value === 0 ? 0 : null;
  const number = Number(plain);
  return (to === 'bigint' ? isInteger(number) : Number.isFinite(number)) ? number : null;
}

/** A value with another type, if it would come back equal; null otherwise. */
export function converted(value: Stored, from: ColumnType, to: ColumnType): Stored {
  if (value === null) return null;
  const there = stored(value, from, to);
  return there !== null && stored(there, to, from) === value ? there : null;
}

const call = ({ column, from }: Conversion, name: string): string =>
  `converted(${quote(name)}, ${literal(from)}, ${literal(column.type)})`;

/** Makes `converted` known to the statements of a connection. */
export const defineConverted = (database: DatabaseSync): void =>
  database.function('converted', { deterministic: true }, (value, from, to) =>
    converted(value as Stored, from as ColumnType, to as ColumnType),
  );

/** SQLite cannot change a column's type: the values move to a new column, which takes the old one's name. */
function convert(conversion: Conversion): string[] {
  const { table, column } = conversion;
  const name = quote(table);
  const next = { ...column, name: `${column.name} converted` };
  return [
    `alter table ${name} add column ${columnDefinition(next, commonDialect)}`,
    `update ${name} set ${quote(next.name)} = ${call(conversion, column.name)}`,
    `alter table ${name} drop column ${quote(column.name)}`,
    `alter table ${name} rename column ${quote(next.name)} to ${quote(column.name)}`,
  ];
}

/** Counts the values that would not come back equal, with the id of one of them. */
export const unequalValues = (conversion: Conversion): string => {
  const value = quote(conversion.column.name);
  return (
    `select count(*) as "count", min("id") as "id" from ${quote(conversion.table)} ` +
    `where ${value} is not null and ${call(conversion, conversion.column.name)} is null`
  );
};

export const sqliteEngine: Engine = { ...commonDialect, convert };
