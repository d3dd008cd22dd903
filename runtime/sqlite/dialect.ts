import type { ColumnType } from '../model/fields.ts';
import { organizationColumn, quote, shownValue, sortKey } from '../sql/schema.ts';
import type { Table } from '../model/table.ts';
import { bytesOfRow, type QueryDialect, maxEscape, overheadOfRow } from '../sql/table-sql.ts';
import type { KeyDialect } from '../sql/key-table.ts';
import { searchColumn, type SearchIndex, searchPrefix, type WordStorage } from '../sql/search.ts';
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

/**
 * A relation of two columns, built from a parameter that is a JSON array of objects. Without the limit, SQLite takes it for
 * longer than any table, and goes through the table that it is joined with: https://sqlite.org/optoverview.html#flattening
 */
const fewRows = (first: string, second: string, parameter: string, name: string): string =>
  `(select value ->> '${first}' as "${first}", value ->> '${second}' as "${second}" from json_each(${parameter}) limit -1) as ${name}`;

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
  withoutIndex: (expression) => `+${expression}`,
  isIn: (column, parameter) => `${column} in (select value from json_each(${parameter}))`,
  isInRanges(table, parameter) {
    const ranges = `(select value ->> 0 as _from, value ->> 1 as _until from json_each(${parameter})) as _range`;
    const owner = quote(organizationColumn);
    const key = sortKey(table);
    return (
      `_rowid_ in (select _one._rowid_ from ${ranges} cross join ${quote(table.name)} as _one ` +
      `where _one.${owner} = ${this.parameter(1)} and ${key} >= _from and ${key} < _until)`
    );
  },
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
  later: (column, parameter) => `max(${column}, ${parameter})`,
  lock: { againstDelete: '', exclusive: '', forDelete: '' },
  positions: (parameter) => fewRows('id', 'idx', parameter, '_position'),
  inserted(table) {
    return this.recordJson(table);
  },
  insertedJson: (_table, _values, [json]) => json as string,
  counterShards: 1,
  lockExternalParent: () => undefined,
};

export const sqliteKeyDialect: KeyDialect = {
  uses: fewRows('id', 'at', '?1', '_use'),
};
