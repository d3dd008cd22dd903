import type { Value } from '../schema/fields.ts';
import type { Column, Table } from '../schema/table.ts';

/** An identifier, quoted: any field may be called `default` or `order`. */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A value as a literal of both engines. */
export function literal(value: Value): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return String(value);
}

/** The table that keeps the number of rows of every record's table, changed in the transaction of the write. */
export const totals = '_total';

// Required, enum and limits are checked before the store, so that neither an older server nor an older row is in the
// way of a changed field; the service itself sets these three.
const alwaysSet = new Set(['id', 'created_at', 'updated_at']);

export const isAlwaysSet = (column: Column): boolean => alwaysSet.has(column.name);

export function columnDefinition(column: Column): string {
  const words = [quote(column.name), column.type];
  if (isAlwaysSet(column)) words.push('not null');
  if (column.name === 'id') words.push('primary key');
  if (column.default !== null) words.push(`default ${literal(column.default)}`);
  return words.join(' ');
}

export const createTable = (table: Table): string =>
  `create table ${quote(table.name)} (\n  ${table.columns.map(columnDefinition).join(',\n  ')}\n)`;

export const addColumn = (table: Table, column: Column): string =>
  `alter table ${quote(table.name)} add column ${columnDefinition(column)}`;

/** The columns that name a line item's parent. */
export const parentColumns = ({ parent }: Table): string[] =>
  parent ? [...(parent.typeField === undefined ? [] : [parent.typeField]), parent.field] : [];

export interface Index {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
}

/** The indexes a table needs beside its primary key: line items are listed by parent, in their order. */
export function indexes(table: Table): Index[] {
  if (!table.parent) return [];
  const name = `${table.name}_by_parent`;
  const index = { name, table: table.name, columns: [table.parent.field, 'idx', 'id'] };
  return [index];
}

export const createIndex = (index: Index): string =>
  `create index ${quote(index.name)} on ${quote(index.table)} (${index.columns.map(quote).join(', ')})`;

export const createTotals = `create table ${quote(totals)} (\n  "table" text not null primary key,\n  "count" bigint not null\n)`;

/** Whatever else the tables need, as the statements that make a new database: what `generated/schema.sql` shows. */
export const createSchema = (tables: readonly Table[]): string[] => [
  createTotals,
  ...tables.flatMap((table) => [createTable(table), ...indexes(table).map(createIndex)]),
];
