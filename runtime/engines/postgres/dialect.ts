import type { ColumnType } from '../../kernel/model/fields.ts';
import { type Column, isAlwaysSet, type Table } from '../../kernel/model/table.ts';
import { mayBeLarge } from '../../kernel/model/limits.ts';
import type { Row } from './connection.ts';
import { counterShards } from './limits.ts';
import { rowJson } from './row-json.ts';
import { literal, organizationColumn, parentPrefix, quote, sortKey } from '../../kernel/sql/schema.ts';
import { commonTypeOf, isList, shownValue, type ValueStorage } from '../../kernel/sql/values.ts';
import type { QueryDialect } from '../../kernel/sql/query-dialect.ts';

/** The prefix of a parent's id that indexes hold. */
export const indexedParent = (field: string): string => `left(${field}, ${parentPrefix})`;

const sortableAs: { readonly [T in ColumnType]?: (value: string) => string } = {
  text: (value) => `${value} collate "C"`,
  // In an order, the name alone would be that of the text that the query selects.
  decimal: (value) => `cast(${value} as numeric)`,
};

/** The storage of PostgreSQL. The scale of a decimal is no part of its type: to change it, no row is written again. */
export const postgresValues: ValueStorage = {
  type: ({ type }) => (type === 'decimal' ? 'numeric' : type),
  typeOf: (spelled) => (spelled === 'numeric' ? { type: 'decimal' } : commonTypeOf(spelled)),
  literal: (_, value) => literal(value),
  // The parameter may be compared as well, as a text.
  parameter: (column, parameter) => (isList(column) ? `cast(${parameter} as json)` : parameter),
  // The value may have been shown by an inner query.
  shown: ({ scale }, value) =>
    scale === undefined ? value : `cast(round(cast(${value} as numeric), ${scale}) as text)`,
  // An index takes no query.
  presentItems(formerValues, list) {
    const replaced = Object.entries(formerValues).reduce((text, names) => {
      const [former = '', name = ''] = names.map((spelled) => JSON.stringify(spelled));
      // A value may begin or end with a comma.
      const item = literal(String.raw`(?<=^\[|",)${former.replaceAll(/[^\p{L}\p{N}\s]/gu, String.raw`\$&`)}(?=\]$|,")`);
      return `regexp_replace(${text}, ${item}, ${literal(name.replaceAll('\\', '\\\\'))}, 'g')`;
    }, `cast(${list} as text)`);
    return `cast(${replaced} as json)`;
  },
  sortable: ({ type }, value) => sortableAs[type]?.(value) ?? value,
};

/** The values of a list by their organization, so that an index of all organizations finds those of one. */
const listOfOrganization = (value: string): string =>
  `jsonb_set('{}', array[cast(${quote(organizationColumn)} as text)], cast(${value} as jsonb))`;

/** The rest of an index, behind its table, by which a value finds the lists that have it. */
export const listIndex = (value: string): string => `using gin ((${listOfOrganization(value)}) jsonb_path_ops)`;

/** A value of a row, as its record shows it. */
const shownOf = (column: Column): string => postgresValues.shown(column, shownValue(column, postgresValues));

/** The columns of a row as its record shows them. @param valueOf an expression for the value of a column */
export const shownColumns = ({ columns }: Table, valueOf = shownOf): string =>
  columns
    .map((column) => {
      const name = quote(column.name);
      const value = valueOf(column);
      return value === name ? name : `${value} as ${name}`;
    })
    .join(', ');

/** The beginning of a value that may be long. Its whole text is not read: the length in bytes is stored beside it. */
const beginningOf = (value: string, length: number): string =>
  `case when octet_length(${value}) < ${length} then ${value} else left(${value}, ${length}) end`;

/** `shownColumns`, but no more than some characters of texts and lists: a record with a longer value is to be read otherwise. */
export const shortColumns = (table: Table, length: number): string =>
  shownColumns(table, (column) =>
    isAlwaysSet(column) || !(column.type === 'text' || isList(column))
      ? shownOf(column)
      : beginningOf(isList(column) ? `cast(${shownOf(column)} as text)` : shownOf(column), length),
  );

/** PostgreSQL and JavaScript print some of these numbers with other digits. */
const isNumber = ({ type }: Column): boolean => type === 'double precision';

/** PostgreSQL's SQL. Most writes are one statement and so a transaction. Lock order: parent, item, row counter. */
export const postgresDialect: QueryDialect = {
  engine: 'postgres',
  values: postgresValues,
  parameter: (n) => `$${n}`,
  recordJson: (table) => `(select row_to_json(_row)::text from (select ${shownColumns(table)}) _row)`,
  // The engine makes the JSON of a long text while this process serves others.
  returned(table) {
    return mayBeLarge(table) ? this.recordJson(table) : shownColumns(table);
  },
  returnedJson: (table, row) => (mayBeLarge(table) ? (row[0] as string) : rowJson(table, row as Row)),
  valueJson: (column) => `coalesce(to_json(${shownOf(column)})::text, 'null')`,
  // `concat_ws` has at most 100 arguments.
  joined: (texts) => `array_to_string(array[${texts.join(', ')}], ',')`,
  // Faster than `recordJson` for each row.
  selectJson: (table, rows) => `select row_to_json(_row)::text from (select ${shownColumns(table)} from ${rows}) _row`,
  // With a condition on the whole parent, the planner would expect one row and sort it instead of using the index's order.
  // A parent shorter than the indexed prefix does not need it.
  isParent: (field, parameter) =>
    `${indexedParent(field)} = ${indexedParent(parameter)} ` +
    `and (length(${parameter}) < ${parentPrefix} or ${field} = ${parameter})`,
  withoutIndex: (column) => column,
  isIn: (_, value, parameter) => `${value} = any(${parameter})`,
  isSelected: (value, query) => `${value} = any(array(${query}))`,
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
  has: ({ organization }, list, value, bind) =>
    `${listOfOrganization(list)} @> cast(${bind(JSON.stringify({ [organization]: [value] }))} as jsonb)`,
  isUnequal: (_, column, parameter) => `${column} <> ${parameter}`,
  // The planner takes any search to find many rows, and would go through all of them in their order to save a sort.
  fewRows: (table, where) => `(select * from ${table}${where} offset 0) as _found`,
  byPrimaryKey: ({ name }) => quote(name),
  nullableOrder: (column, isDescending, isReversed) =>
    `${column}${isDescending ? ' desc' : ''} nulls ${isReversed ? 'first' : 'last'}`,
  beyond: (column, isDescending, parameter) => ({
    condition: `${column} ${isDescending ? '<' : '>'} ${parameter}`,
    order: `${column}${isDescending ? ' desc' : ''} nulls last`,
  }),
  lock: {
    againstDelete: ' for key share',
    againstChange: ' for share',
    exclusive: ' for no key update',
    forDelete: ' for update',
  },
  given: (parameter, column, type) =>
    `json_to_recordset(cast(${parameter} as json)) as _given("id" text, "${column}" ${type})`,
  // An insert into a distributed table may return columns, and no JSON.
  inserted: ({ columns }) =>
    columns
      .filter(isNumber)
      .map(({ name }) => quote(name))
      .join(', ') || '1',
  // As `row_to_json` prints it.
  insertedJson({ columns }, values, row) {
    const numbers = row.values();
    const pairs = columns.map((column, i) => {
      const number = isNumber(column) ? (numbers.next().value as string | null) : null;
      const value = values[i] ?? column.backfill ?? null;
      return `"${column.name}":${number ?? (isList(column) ? value : JSON.stringify(value))}`;
    });
    return `{${pairs.join(',')}}`;
  },
  skipsClashes: false,
  counterShards,
};
