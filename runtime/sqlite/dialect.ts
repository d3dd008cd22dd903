import type { ColumnType } from '../model/fields.ts';
import { quote, shownValue } from '../sql/schema.ts';
import type { Table } from '../model/table.ts';
import { bytesOfRow, type Dialect, maxEscape, overheadOfRow } from '../sql/table-sql.ts';
import type { KeyDialect } from '../sql/key-table.ts';
import { numberJson } from './number.ts';

/** Expressions of types whose values SQLite does not print as their JSON. Booleans are stored as 0 and 1. */
const jsonOf: { readonly [T in ColumnType]?: (value: string) => string } = {
  boolean: (value) => `case ${value} when 1 then json('true') when 0 then json('false') end`,
  'double precision': numberJson,
};

/** The bytes of the JSON of a row, with what is escaped in it. */
function escapedBytes(table: Table): string {
  const texts = table.columns.filter(({ type }) => type === 'text');
  return [...texts.map(({ name }) => `octet_length(json_quote(${quote(name)}))`), overheadOfRow(table)].join(' + ');
}

/** SQLite's SQL. A write transaction is the only one, so that rows need no locks. */
export const sqliteDialect: Dialect = {
  parameter: (n) => `?${n}`,
  // Strings are only read where their lengths do not tell. A column may be called `true`, and then be meant by that word.
  isWithin(table, max) {
    const bytes = bytesOfRow(table);
    return (
      `case when ${bytes} <= ${max} / ${maxEscape} then 1 when ${bytes} > ${max} then 0 ` +
      `else ${escapedBytes(table)} <= ${max} end`
    );
  },
  // To what is too long by itself, an eighth is added for what is escaped.
  bytesBeyond(table, max) {
    const bytes = bytesOfRow(table);
    return (
      `case when ${bytes} > ${max} then ${bytes} + (${bytes}) / 8 ` +
      `when ${escapedBytes(table)} > ${max} then ${escapedBytes(table)} end`
    );
  },
  recordJson({ columns }) {
    const pairs = columns.map((column) => {
      const { name, type } = column;
      const value = shownValue(column);
      return `'${name}', ${jsonOf[type]?.(value) ?? value}`;
    });
    return `json_object(${pairs.join(', ')})`;
  },
  valueJson(column) {
    const value = shownValue(column);
    return `json_quote(${jsonOf[column.type]?.(value) ?? value})`;
  },
  idIn: (row) => `${row}."id"`,
  joined: (texts) => `concat_ws(',', ${texts.join(', ')})`,
  selectJson(table, rows) {
    return `select ${this.recordJson(table)} from ${rows}`;
  },
  isParent: (field, parameter) => `${field} = ${parameter}`,
  byCodePoints: (text) => text,
  withoutIndex: (column) => `+${column}`,
  isIn: (column, parameter) => `${column} in (select value from json_each(${parameter}))`,
  matches({ name }, parameter, mayUseIndex) {
    const found = `select rowid from ${quote(name)} where ${quote(name)} match ${parameter}`;
    return `${mayUseIndex ? '' : '+'}_rowid_ in (${found})`;
  },
  // https://sqlite.org/fts5.html#fts5_prefix_queries
  searchQuery: (words) => words.map((word) => `"${word}"*`).join(' AND '),
  // Rows are still found by their numbers: https://sqlite.org/lang_indexedby.html
  searched: (table, where) => `${table} not indexed${where}`,
  // SQLite sorts nulls before all values.
  nullableOrder(column, isDescending, isReversed) {
    const values = isDescending ? `${column} desc` : column;
    return isDescending === isReversed ? `${column} is null${isReversed ? ' desc' : ''}, ${values}` : values;
  },
  // Ascending, the index has the values behind the flag that tells them from nulls.
  beyond: (column, isDescending, parameter) =>
    isDescending
      ? { condition: `${column} < ${parameter}`, order: `${column} desc` }
      : { condition: `(${column} is null) = 0 and ${column} > ${parameter}`, order: column },
  later: (column, parameter) => `max(${column}, ${parameter})`,
  lock: { againstDelete: '', exclusive: '' },
  positions: (parameter) =>
    `(select value ->> 'id' as "id", value ->> 'idx' as "idx" from json_each(${parameter})) as _position`,
  inserted(table) {
    return this.recordJson(table);
  },
  insertedJson: (_table, _values, [json]) => json as string,
  counterShards: 1,
  lockExternalParent: () => undefined,
};

export const sqliteKeyDialect: KeyDialect = {
  uses: `(select value ->> 'id' as "id", value ->> 'at' as "at" from json_each(?1)) as _use`,
};
