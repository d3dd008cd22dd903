import type { ColumnType } from '../../kernel/model/fields.ts';
import type { Column } from '../../kernel/model/table.ts';
import { organizationColumn, quote, sortKey } from '../../kernel/sql/schema.ts';
import { shownValue } from '../../kernel/sql/values.ts';
import { unitStorage } from './storage.ts';
import type { QueryDialect } from '../../kernel/sql/query-dialect.ts';

/** Expressions of types whose values SQLite does not print as their JSON. Booleans are stored as 0 and 1. */
const jsonOf: { readonly [T in ColumnType]?: (value: string) => string } = {
  json: (value) => `json(${value})`,
  boolean: (value) => `case ${value} when 1 then json('true') when 0 then json('false') end`,
  // SQLite prints 5.0 for 5, and 17 digits where 16 are enough. Whole numbers, which most are, need no call of JavaScript.
  'double precision': (value) =>
    `case when ${value} = cast(${value} as integer) and abs(${value}) < 1e15 then cast(${value} as integer) ` +
    `when ${value} is not null then json(_number(${value})) end`,
};

/** A value of a row, as functions of JSON take it. */
function jsonValue(column: Column): string {
  const value = shownValue(column, unitStorage);
  return jsonOf[column.type]?.(value) ?? unitStorage.shown(column, value);
}

/** SQLite's SQL. A write transaction is the only one, so that rows need no locks. */
export const sqliteDialect: QueryDialect = {
  engine: 'sqlite',
  values: unitStorage,
  parameter: (n) => `?${n}`,
  recordJson({ columns }) {
    const pairs = columns.map((column) => `'${column.name}', ${jsonValue(column)}`);
    return `json_object(${pairs.join(', ')})`;
  },
  returned(table) {
    return this.recordJson(table);
  },
  returnedJson: (_table, [json]) => json as string,
  valueJson: (column) => `json_quote(${jsonValue(column)})`,
  joined: (texts) => `concat_ws(',', ${texts.join(', ')})`,
  selectJson(table, rows) {
    return `select ${this.recordJson(table)} from ${rows}`;
  },
  isParent: (field, parameter) => `${field} = ${parameter}`,
  withoutIndex: (expression) => `+${expression}`,
  isIn(column, value, parameter) {
    // SQLite reads whole numbers of JSON as integers: those of over 53 bits are no double.
    const one = column.type === 'double precision' ? 'cast(value as real)' : unitStorage.parameter(column, 'value');
    return `${value} in (select ${one} from json_each(${parameter}))`;
  },
  isSelected: (value, query) => `${value} in (${query})`,
  isInRanges(table, parameter) {
    const ranges = `(select value ->> 0 as _from, value ->> 1 as _until from json_each(${parameter})) as _range`;
    const owner = quote(organizationColumn);
    const key = sortKey(table);
    return (
      `_rowid_ in (select _one._rowid_ from ${ranges} cross join ${quote(table.name)} as _one ` +
      `where _one.${owner} = ${this.parameter(1)} and ${key} >= _from and ${key} < _until)`
    );
  },
  has: (_, list, value, bind) => `exists (select 1 from json_each(${list}) where value = ${bind(value)})`,
  isUnequal(sql, column, parameter) {
    const parts = ['<', '>'].map(
      (operator) => `select _rowid_ from ${sql.organizationRows([`${column} ${operator} ${parameter}`])}`,
    );
    return `_rowid_ in (${parts.join(' union all ')})`;
  },
  // Rows are still found by their numbers: https://sqlite.org/lang_indexedby.html
  fewRows: (table, where) => `${table} not indexed${where}`,
  // Without statistics, SQLite takes an organization to have ten rows, and goes through all of them in a shorter index.
  byPrimaryKey: ({ name }) => `${quote(name)} indexed by ${quote(`sqlite_autoindex_${name}_1`)}`,
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
  lock: { againstDelete: '', againstChange: '', exclusive: '', forDelete: '' },
  // Without the limit, SQLite takes it for longer than any table, and goes through the table that it is joined with:
  // https://sqlite.org/optoverview.html#flattening
  given: (parameter, column) =>
    `(select value ->> 'id' as "id", value ->> '${column}' as "${column}" from json_each(${parameter}) limit -1) as _given`,
  inserted(table) {
    return this.recordJson(table);
  },
  insertedJson: (_table, _values, [json]) => json as string,
  skipsClashes: true,
  counterShards: 1,
};
