import type { ColumnType } from '../model/fields.ts';
import type { Column } from '../model/table.ts';
import { quote, sortKey } from '../sql/schema.ts';
import { organizationColumn } from '../sql/helper-tables.ts';
import { shownValue, unitStorage } from '../sql/values.ts';
import type { QueryDialect } from '../sql/query-dialect.ts';
import { nextNumber } from '../sql/events.ts';
import { searchColumn, type SearchIndex, searchPrefix, type WordStorage } from '../sql/search.ts';

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

/** The table of FTS5 that indexes the words of a table's rows. */
export const wordIndex = ({ table }: Pick<SearchIndex, 'table'>): string => quote(searchPrefix(table));

/** The words are a JSON object by field. To the tokenizer of ASCII, its punctuation separates them; no search finds its keys. */
export const sqliteWords: WordStorage = {
  type: 'text',
  stored: (words) => JSON.stringify(words),
  replaced: (_, parameter) => `json_patch(coalesce(${quote(searchColumn)}, '{}'), ${parameter})`,
};

/** SQLite's SQL. A write transaction is the only one, so that rows need no locks. */
export const sqliteDialect: QueryDialect = {
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
  idIn: (row) => `${row}."id"`,
  joined: (texts) => `concat_ws(',', ${texts.join(', ')})`,
  selectJson(table, rows) {
    return `select ${this.recordJson(table)} from ${rows}`;
  },
  // A longer one than `getWithin` allows is its error.
  listJson: `coalesce(string_agg(_json, ','), '')`,
  shortList: (list) => list,
  isParent: (field, parameter) => `${field} = ${parameter}`,
  withoutIndex: (expression) => `+${expression}`,
  isIn(column, value, parameter) {
    // SQLite reads whole numbers of JSON as integers: those of over 53 bits are no double.
    const one = column.type === 'double precision' ? 'cast(value as real)' : unitStorage.parameter(column, 'value');
    return `${value} in (select ${one} from json_each(${parameter}))`;
  },
  isSelected: (value, query) => `${value} in (${query})`,
  closure(relation, first, others) {
    const [name] = relation.split('(');
    // SQLite reads the sides of a cross join in their order.
    const next = others.map(({ columns, rows }) => ` union select ${columns} from ${name} cross join ${rows}`);
    return `with recursive ${relation} as (${first}${next.join('')})`;
  },
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
  words: sqliteWords,
  matches(search, parameter, mayUseIndex) {
    return `${mayUseIndex ? '' : '+'}_rowid_ in (select rowid from ${this.found?.(search, parameter)})`;
  },
  found: (search, parameter) => `${wordIndex(search)} where ${wordIndex(search)} match ${parameter}`,
  // https://sqlite.org/fts5.html#fts5_prefix_queries
  searchQuery: (words) => words.map((word) => `"${word}"*`).join(' AND '),
  // Rows are still found by their numbers: https://sqlite.org/lang_indexedby.html
  searched: (table, where) => `${table} not indexed${where}`,
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
  newEvent: { number: nextNumber('?1'), notedAt: 'null' },
  inserted(table) {
    return this.recordJson(table);
  },
  insertedJson: (_table, _values, [json]) => json as string,
  skipsClashes: true,
  counterShards: 1,
};
