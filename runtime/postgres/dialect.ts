import type { Table } from '../model/table.ts';
import { literal, organizationColumn, parentPrefix, quote, shownValue, sortKey } from '../sql/schema.ts';
import { addCount, type QueryDialect, overheadOfRow } from '../sql/table-sql.ts';
import type { KeyDialect } from '../sql/key-table.ts';
import { searchColumn, separator, type WordStorage } from '../sql/search.ts';
import { inserted, insertedJson } from './inserted.ts';

/** Shards of the row counter of a table of records: that many writers need not wait for each other. */
export const shards = 32;

/** The prefix of a parent's id that indexes hold. */
export const indexedParent = (field: string): string => `left(${field}, ${parentPrefix})`;

/** See `Dialect.orderedColumn` of sql/schema.ts. */
export const orderedColumn = (column: string, isText: boolean, isDescending: boolean): readonly string[] => [
  `${column}${isText ? ' collate "C"' : ''}${isDescending ? ' nulls first' : ''}`,
];

/** The columns of a row as its record shows them. */
export const shownColumns = ({ columns }: Table): string =>
  columns
    .map((column) => (column.backfill === undefined ? '' : `${shownValue(column)} as `) + quote(column.name))
    .join(', ');

/**
 * The words are a tsvector, each with its field behind it. They are replaced by functions of the text, as Citus refuses a query
 * in an update of a column, and functions that depend on settings.
 */
export const postgresWords: WordStorage = {
  type: 'tsvector',
  stored: (words) =>
    Object.entries(words)
      .flatMap(([field, text]) => (text === '' ? [] : text.split(' ').map((word) => word + separator + field)))
      .join(' '),
  replaced(fields, parameter) {
    const former = literal(`'[^']+${separator}(${fields.join('|')})'`);
    const others = `regexp_replace(cast(${quote(searchColumn)} as text), ${former}, '', 'g')`;
    return `cast(coalesce(${others}, '') as tsvector) || cast(${parameter} as tsvector)`;
  },
};

/**
 * The bytes of the JSON of a row. Citus takes no function in the condition of an update that is not immutable, as those are
 * that make JSON of rows and arrays, and copies the expression at each execution: one function of all columns is the smallest.
 */
function escapedBytes(table: Table): string {
  const texts = table.columns.filter(({ type }) => type === 'text').map(({ name }) => name);
  const names = literal(`{${texts.map((name) => `"${name}"`).join()}}`);
  return `octet_length(json_object(${names}, array[${texts.map(quote).join(', ')}])::text) + ${overheadOfRow(table)}`;
}

/** PostgreSQL's SQL. Most writes are one statement and so a transaction. Lock order: parent, item, row counter. */
export const postgresDialect: QueryDialect = {
  parameter: (n) => `$${n}`,
  isWithin: (table, max) => `${escapedBytes(table)} <= cast(${max} as bigint)`,
  bytesBeyond: (table, max) =>
    `case when ${escapedBytes(table)} > cast(${max} as bigint) then ${escapedBytes(table)} end`,
  recordJson: (table) => `(select row_to_json(_row)::text from (select ${shownColumns(table)}) _row)`,
  valueJson: (column) => `coalesce(to_json(${shownValue(column)})::text, 'null')`,
  // Ids have a collation of their own.
  idIn: (row) => `(${row}."id" collate "default")`,
  // `concat_ws` has at most 100 arguments.
  joined: (texts) => `array_to_string(array[${texts.join(', ')}], ',')`,
  // Faster than `recordJson` for each row.
  selectJson: (table, rows) => `select row_to_json(_row)::text from (select ${shownColumns(table)} from ${rows}) _row`,
  // With a condition on the whole parent, the planner would expect one row and sort it instead of using the index's order.
  // A parent shorter than the indexed prefix does not need it.
  isParent: (field, parameter) =>
    `${indexedParent(field)} = ${indexedParent(parameter)} ` +
    `and (length(${parameter}) < ${parentPrefix} or ${field} = ${parameter})`,
  byCodePoints: (text) => `${text} collate "C"`,
  withoutIndex: (column) => column,
  isIn: (column, parameter) => `${column} = any(${parameter})`,
  isInRanges(table, parameter) {
    const owner = quote(organizationColumn);
    const key = sortKey(table);
    // The planner takes a range for a ninth of the table, and would go through all of it.
    const ids =
      `select "id" from ${quote(table.name)} as _one where _one.${owner} = ${this.parameter(1)} ` +
      `and ${key} >= _range ->> 0 and ${key} < _range ->> 1 order by ${key} offset 0`;
    const ranges = `json_array_elements(cast(${parameter} as json)) as _range`;
    return `"id" = any(array(select _found."id" from ${ranges} cross join lateral (${ids}) as _found))`;
  },
  isUnequal: (_, column, parameter) => `${column} <> ${parameter}`,
  words: postgresWords,
  matches: (_, parameter) => `${quote(searchColumn)} @@ cast(${parameter} as tsquery)`,
  searchQuery: (words) => words.map((word) => `'${word}':*`).join(' & '),
  // The planner takes any search to find many rows, and would go through all of them in their order to save a sort.
  searched: (table, where) => `(select * from ${table}${where} offset 0) as _found`,
  byPrimaryKey: ({ name }) => quote(name),
  nullableOrder: (column, isDescending, isReversed) =>
    `${column}${isDescending ? ' desc' : ''} nulls ${isReversed ? 'first' : 'last'}`,
  beyond: (column, isDescending, parameter) => ({
    condition: `${column} ${isDescending ? '<' : '>'} ${parameter}`,
    order: `${column}${isDescending ? ' desc' : ''} nulls last`,
  }),
  later: (column, parameter) => `greatest(${column} collate "C", cast(${parameter} as text))`,
  lock: { againstDelete: ' for key share', exclusive: ' for no key update', forDelete: ' for update' },
  positions: (parameter) => `json_to_recordset(cast(${parameter} as json)) as _position("id" text, "idx" bigint)`,
  inserted,
  insertedJson,
  counterShards: shards,
  lockExternalParent(sql, parent) {
    // The items of no parent and of a long one are not counted: the row of their lock is a counter that stays 0.
    const key = [...String(parent ?? '')].slice(0, parentPrefix).join('');
    return sql.statement('lock parent', [key, parent === null ? 1 : 0], () => {
      return `${addCount(`values ($1, ${literal(sql.table.name)}, $2, $3, 0)`)} returning 1`;
    });
  },
};

export const postgresKeyDialect: KeyDialect = {
  uses: 'json_to_recordset(cast($1 as json)) as _use("id" text, "at" text)',
};
