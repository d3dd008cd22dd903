import { hash } from 'node:crypto';
import type { Value } from '../model/fields.ts';
import { type Column, isAlwaysSet, type Table } from '../model/table.ts';
import { helperTables, mainOrganization, organizationColumn, rowCounters } from './helper-tables.ts';
import { searchColumn, type SearchIndex, searchOf } from './search.ts';
import { foldedColumns, shortName, type UniqueKey, uniqueKeys } from './unique.ts';
import {
  isList,
  literal,
  quote,
  renamesOf,
  shownValue,
  sortableValue,
  unitStorage,
  type ValueStorage,
} from './values.ts';

export { literal, quote } from './values.ts';

/** The column of each table that counts the writes of a row: its record's ETag. */
export const versionColumn = '_version';

/**
 * Characters of a parent's id in an index: PostgreSQL's indexes hold no long values, and parents stored outside this service
 * may have long ids. Only the items of parents with a shorter id have a row counter.
 */
export const parentPrefix = 500;

/** Whether the line items of this parent have a row counter. */
export const isCounted = (parent: Value): parent is string =>
  typeof parent === 'string' && (parent.length < parentPrefix || [...parent].length < parentPrefix);

/** The parts of a schema that differ between engines. */
export interface SchemaDialect {
  readonly values: ValueStorage;
  /** The collation that sorts ids by their bytes; empty if the engine does so by default. */
  readonly byBytes: string;
  /** Whether the definition of a table contains its foreign keys; otherwise they are added when all tables exist. */
  readonly definesForeignKeys: boolean;
  /** The keyword that creates or drops an index without blocking writes. */
  readonly concurrently: string;
  /** The prefix of a parent's id that an index holds. */
  readonly indexedParent: (field: string) => string;
  /** The keys of an index in which a nullable column is in the order of `nullableOrder` in query-dialect.ts. */
  readonly orderedColumn: (column: string, isDescending: boolean) => readonly string[];
  /** The rest of an index, behind its table, by which a value finds the lists that have it; absent if there is none. */
  readonly listIndex?: (list: string) => string;
  /** The type of the column of words. */
  readonly wordsType: string;
  /**
   * Statements that create an index of words, over the column that holds them, and keep it up.
   *
   * @param concurrently the keyword, for an existing table
   */
  readonly createSearch: (search: SearchIndex, concurrently: string) => string[];
}

/** SQL that both engines understand; SQLite needs no other, but for searches, whose indexes have nothing in common. */
export const commonDialect: SchemaDialect = {
  values: unitStorage,
  byBytes: '',
  definesForeignKeys: true,
  concurrently: '',
  indexedParent: (field) => field,
  // Nulls are before all values, and last where an index is read backwards.
  orderedColumn: (column, isDescending) => (isDescending ? [column] : [`${column} is null`, column]),
  wordsType: 'text',
  createSearch: () => [],
};

export function columnDefinition(column: Column, dialect: SchemaDialect): string {
  const words: string[] = [quote(column.name), dialect.values.type(column)];
  // A foreign key finds the rows that reference a record by an index, which has the order of ids.
  if ((column.name === 'id' || column.references) && dialect.byBytes !== '') words.push(dialect.byBytes);
  if (isAlwaysSet(column)) words.push('not null');
  if (column.default !== null) words.push(`default ${dialect.values.literal(column, column.default)}`);
  return words.join(' ');
}

/** The definitions of the columns that no record shows; the first one begins each table. */
export const hiddenDefinitions = (table: Table, { wordsType }: SchemaDialect): string[] => [
  `${quote(organizationColumn)} bigint not null`,
  ...(searchOf(table) ? [`${quote(searchColumn)} ${wordsType}`] : []),
  ...[...foldedColumns(table).values()].map((column) => `${quote(column)} text`),
  `${quote(versionColumn)} bigint not null default 1`,
];

/** A constraint of the database: the last guard of a reference, whose rules the steps of a write keep. */
export interface ForeignKey {
  readonly name: string;
  readonly table: string;
  readonly column: string;
  /** The table that it references. */
  readonly target: string;
}

/** The foreign keys of a table. */
export const foreignKeys = ({ name: table, columns }: Table): ForeignKey[] =>
  columns.flatMap(({ name: column, references }) =>
    references ? [{ name: shortName(`${table}_${column}`, '_fkey'), table, column, target: references.table }] : [],
  );

/** It is checked at the end of a transaction: a cascade deletes the rows of a circle one after the other. */
export const foreignKeyDefinition = ({ name, column, target }: ForeignKey): string =>
  `constraint ${quote(name)} foreign key (${quote(organizationColumn)}, ${quote(column)})\n` +
  `    references ${quote(target)} (${quote(organizationColumn)}, "id") deferrable initially deferred`;

/** The definitions of the columns and the keys of a table. */
function tableBody(table: Table, dialect: SchemaDialect): string {
  const [organization, ...hidden] = hiddenDefinitions(table, dialect);
  return [
    organization,
    ...table.columns.map((column) => columnDefinition(column, dialect)),
    ...hidden,
    `primary key (${quote(organizationColumn)}, "id")`,
    ...(dialect.definesForeignKeys ? foreignKeys(table).map(foreignKeyDefinition) : []),
  ].join(',\n  ');
}

/** The columns that identify a line item's parent. */
export const parentColumns = ({ parent }: Table): string[] =>
  parent ? [...(parent.typeField === undefined ? [] : [parent.typeField]), parent.field] : [];

export interface Index {
  readonly name: string;
  readonly table: string;
  /** Names of columns, or `idSuffix`. */
  readonly columns: readonly string[];
  /** The one of the columns that holds the parent's id. */
  readonly parent?: string;
  /** How a list is sorted by the second column. */
  readonly order?: { readonly column: Column; readonly isDescending: boolean };
  /** No two rows have the same values, unless one is null. */
  readonly unique?: UniqueKey;
}

/** The part of an id that sorts by time: all but the name of the resource. */
export const idSuffix = 'substr("id", length("id") - 25)';

/** The sort key of creation: the id, or its suffix if the resource was renamed, as older ids have another prefix. */
export const sortKey = ({ renamedFrom }: Table): string => (renamedFrom ? idSuffix : '"id"');

/** The value of `sortKey` in the row with this id. */
export const sortKeyOf = ({ renamedFrom }: Table, id: string): string => (renamedFrom ? id.slice(-26) : id);

/** The indexes of a table besides its primary key. */
export function indexes(described: Table, dialect: SchemaDialect): Index[] {
  const { name: table, kind, parent, renamedFrom, list } = described;
  const last = renamedFrom ? idSuffix : 'id';
  const index = (suffix: string, ...columns: readonly string[]): Index => ({
    name: `${table}_${suffix}`,
    table,
    columns: [organizationColumn, ...columns],
    ...(parent && { parent: parent.field }),
  });
  const unique = uniqueKeys(described).map((key): Index => ({
    name: key.name,
    table,
    columns: [organizationColumn, ...key.columns],
    unique: key,
  }));
  if (parent)
    return [index('by_parent', parent.field, 'idx', last), ...unique, ...referenceIndexes(described, last, dialect)];
  return [
    ...unique,
    ...(renamedFrom && kind === 'record' ? [index('by_creation', last)] : []),
    ...[...new Set([...list.filter, ...list.sort])].flatMap((field) => [
      ...(dialect.listIndex || !isList(columnOf(described, field))
        ? [fieldIndex(described, field, last, true, dialect)]
        : []),
      ...(list.sort.includes(field) ? [fieldIndex(described, field, last, false, dialect)] : []),
    ]),
  ];
}

const columnOf = ({ columns }: Table, name: string): Column => columns.find((one) => one.name === name) as Column;

/** The indexes by which the line items that reference a record are found. */
const referenceIndexes = (table: Table, last: string, dialect: SchemaDialect): Index[] =>
  table.columns.flatMap(({ name, references }) => (references ? [fieldIndex(table, name, last, true, dialect)] : []));

/**
 * An index for the filters of a field, and the descending order by it; ascending, rows with the same value are in another
 * order. Its name says all that it depends on, so that it is made again when one of that changes. Line items have one for
 * references alone: they are filtered and sorted within their parent.
 */
function fieldIndex(
  described: Table,
  field: string,
  last: string,
  isDescending: boolean,
  { values }: SchemaDialect,
): Index {
  const column = columnOf(described, field);
  const { type, backfill } = column;
  const renames = renamesOf(column);
  const parts = [
    field,
    type === 'text' ? '' : values.type(column),
    isList(column) ? 'has' : isDescending ? 'desc' : 'asc',
    last === 'id' ? '' : 'renamed',
    backfill === undefined ? '' : `backfill-${hash('sha256', literal(backfill), 'hex').slice(0, 12)}`,
    renames === undefined ? '' : `values-${renames}`,
  ];
  // Databases have the index under this name: under another one, it would be made again.
  const name = shortName(`_${described.name}.${parts.filter((part) => part !== '').join('.')}`, '', 40);
  const order = { column, isDescending };
  return { name, table: described.name, columns: [organizationColumn, field, last], order };
}

/** Whether an index is one of `fieldIndex`. */
export const isFieldIndex = (name: string): boolean => /^_.*[.]/.test(name);

/** Characters of a line of `generated/schema.sql`, without its semicolon. */
const maxLine = 119;

/** @param concurrently `SchemaDialect.concurrently` for an existing table */
export function createIndex(
  { name, table, columns, parent, order, unique }: Index,
  dialect: SchemaDialect,
  concurrently = '',
): string {
  const create = unique ? 'create unique index' : 'create index';
  const named = `${create}${concurrently && ` ${concurrently}`} ${quote(name)}\n  on ${quote(table)}`;
  if (order && isList(order.column))
    return `${named}\n  ${dialect.listIndex?.(shownValue(order.column, dialect.values))}`;
  const keys = columns.flatMap((column, at) => {
    const key = column === idSuffix ? column : quote(column);
    if (order && at === 1)
      return dialect.orderedColumn(sortableValue(order.column, dialect.values), order.isDescending);
    if (order && at === 2 && !order.isDescending) return `${key} desc`;
    return column === parent ? dialect.indexedParent(key) : key;
  });
  const line = `(${keys.join(', ')})`;
  const isLong = `  on ${quote(table)}`.length + line.length >= maxLine;
  const end = line.length + 2 > maxLine ? `(${keys.join(',\n  ')})` : line;
  return `${named}${isLong ? '\n  ' : ' '}${end}`;
}

/** The part of a table that its row counters depend on. */
export type Counted = Pick<Table, 'name' | 'kind' | 'parent'>;

/** Statements that delete the row counters of a table. Singletons have none. */
export const deleteCounters = ({ name, kind }: Counted): string[] =>
  kind === 'singleton' ? [] : [`delete from ${quote(rowCounters)} where "table" = ${literal(name)}`];

/** A query for what the row counters of a table should be: organization, `parent` and `count`. */
export function countByParent({ name, parent }: Counted): string {
  const field = parent ? quote(parent.field) : "''";
  const filter = parent ? ` where length(${field}) < ${parentPrefix}` : '';
  const keys = quote(organizationColumn) + (parent ? `, ${field}` : '');
  return (
    `select ${quote(organizationColumn)}, ${field} as "parent", count(*) as "count" ` +
    `from ${quote(name)}${filter} group by ${keys}`
  );
}

/** Statements that rebuild the row counters of a table of records or line items. */
export const rebuildCounter = (table: Counted): string[] => [
  ...deleteCounters(table),
  `insert into ${quote(rowCounters)} ` +
    `select ${quote(organizationColumn)}, ${literal(table.name)}, "parent", 0, "count" from (${countByParent(table)}) counted`,
  ...(table.kind === 'record' ? [`${addMainCounter(table)} on conflict do nothing`] : []),
];

/** The counter of `main` is there from the start: it tells a table of records from one of a singleton. */
const addMainCounter = ({ name }: Counted): string =>
  `insert into ${quote(rowCounters)} values (${mainOrganization}, ${literal(name)}, '', 0, 0)`;

/** Statements that create a table with its indexes and, for records, its row counter. */
export function createTableStatements(table: Table, dialect: SchemaDialect): string[] {
  const search = searchOf(table);
  return [
    `create table ${quote(table.name)} (\n  ${tableBody(table, dialect)}\n)`,
    ...indexes(table, dialect).map((index) => createIndex(index, dialect)),
    ...(search ? dialect.createSearch(search, '') : []),
    ...(table.kind === 'record' ? [addMainCounter(table)] : []),
  ];
}

/** Statements that create a new database, for both engines: the contents of `generated/schema.sql`. */
export const createSchema = (tables: readonly Table[]): string[] => [
  ...Object.values(helperTables).flat(),
  ...tables.flatMap((table) => createTableStatements(table, commonDialect)),
];
