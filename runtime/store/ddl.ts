import type { Value } from '../schema/fields.ts';
import type { Column, Table } from '../schema/table.ts';

/** An identifier, quoted: any field may be called `default` or `order`. */
export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** A value as a literal of both engines. */
export function literal(value: Value): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  return String(value);
}

/**
 * The table that keeps the number of rows: of every record's table (its `parent` is empty), and of line items by their
 * parent. Changed in the transaction of the write; a number is the sum of its shards, so that writers need not queue.
 */
export const rowCounters = '_row_counter';

/**
 * Characters of a parent that indexes know: PostgreSQL's hold no long text, and parents that are kept elsewhere may have
 * long ids. Line items are counted where the parent is shorter, so that its beginning is all of it.
 */
export const parentPrefix = 500;

/** Whether the line items of this parent have a total. */
export const isCounted = (parent: Value): parent is string =>
  typeof parent === 'string' && (parent.length < parentPrefix || [...parent].length < parentPrefix);

// Required, enum and limits are checked before the store, so that neither an older server nor an older row is in the
// way of a changed field; the service itself sets these three.
const alwaysSet = new Set(['id', 'created_at', 'updated_at']);

export const isAlwaysSet = (column: Column): boolean => alwaysSet.has(column.name);

/** What one engine spells its own way where schemas are made. */
export interface Dialect {
  /** What makes ids sort by their bytes, where the engine does not sort text so by itself. */
  readonly byBytes: string;
  /** What lets an index of a table with rows be made and dropped while others write. */
  readonly concurrently: string;
  /** So much of a parent as an index can hold. */
  readonly indexedParent: (field: string) => string;
}

/** What both engines understand: enough for SQLite. */
export const commonDialect: Dialect = { byBytes: '', concurrently: '', indexedParent: (field) => field };

export function columnDefinition(column: Column, dialect: Dialect): string {
  const words: string[] = [quote(column.name), column.type];
  if (column.name === 'id' && dialect.byBytes !== '') words.push(dialect.byBytes);
  if (isAlwaysSet(column)) words.push('not null');
  if (column.name === 'id') words.push('primary key');
  if (column.default !== null) words.push(`default ${literal(column.default)}`);
  return words.join(' ');
}

const createTable = ({ name, columns }: Table, dialect: Dialect): string =>
  `create table ${quote(name)} (\n  ${columns.map((column) => columnDefinition(column, dialect)).join(',\n  ')}\n)`;

export const addColumn = (table: Table, column: Column): string =>
  `alter table ${quote(table.name)} add column ${columnDefinition(column, commonDialect)}`;

/** The columns that name a line item's parent. */
export const parentColumns = ({ parent }: Table): string[] =>
  parent ? [...(parent.typeField === undefined ? [] : [parent.typeField]), parent.field] : [];

export interface Index {
  readonly name: string;
  readonly table: string;
  /** Names of columns, or `creation`. */
  readonly columns: readonly string[];
  /** The column among them that names a parent. */
  readonly parent?: string;
}

/** The part of an id that sorts by time, without the name of the resource before it. */
export const creation = 'substr("id", length("id") - 25)';

/**
 * What sorts rows by their creation: the id, whose index is there anyway. Where a resource was renamed, older ids begin
 * otherwise, and only what comes behind that tells the time.
 */
export const creationOrder = ({ renamedFrom }: Table): string => (renamedFrom ? creation : '"id"');

/** The value of `creationOrder` in the row with this id. */
export const placeInOrder = ({ renamedFrom }: Table, id: string): string => (renamedFrom ? id.slice(-26) : id);

const expression = (column: string): string => (column === creation ? column : quote(column));

/** The indexes a table needs beside its primary key: line items are listed by parent, in their order. */
export function indexes(table: Table): Index[] {
  const last = table.renamedFrom ? creation : 'id';
  if (table.parent) {
    const { field } = table.parent;
    return [{ name: `${table.name}_by_parent`, table: table.name, columns: [field, 'idx', last], parent: field }];
  }
  return table.renamedFrom && table.kind === 'record'
    ? [{ name: `${table.name}_by_creation`, table: table.name, columns: [creation] }]
    : [];
}

/** @param concurrently what `Dialect` says, for a table that others use */
export function createIndex({ name, table, columns, parent }: Index, dialect: Dialect, concurrently = ''): string {
  const keys = columns.map((column) =>
    column === parent ? dialect.indexedParent(expression(column)) : expression(column),
  );
  return `create index${concurrently && ` ${concurrently}`} ${quote(name)}\n  on ${quote(table)}\n  (${keys.join(', ')})`;
}

export const createRowCounters = `create table ${quote(rowCounters)} (
  "table" text not null,
  "parent" text not null,
  "shard" bigint not null,
  "count" bigint not null,
  primary key ("table", "parent", "shard")
)`;

/** The statements that count the rows of a table anew. Singletons are not counted. */
export function countAnew({ name, kind, parent }: Pick<Table, 'name' | 'kind' | 'parent'>): string[] {
  if (kind === 'singleton') return [];
  const field = parent ? quote(parent.field) : "''";
  const counted =
    `insert into ${quote(rowCounters)} select ${literal(name)}, ${field}, 0, count(*) from ${quote(name)}` +
    (parent ? ` where length(${field}) < ${parentPrefix} group by ${field}` : '');
  return [`delete from ${quote(rowCounters)} where "table" = ${literal(name)}`, counted];
}

/** Counts the rows of a table, or those that have a value in a column of it. */
export const countKept = (kept: {
  readonly table: string;
  readonly column?: string;
  readonly liveTable?: string;
}): string => {
  const { table, column, liveTable = table } = kept;
  return `select count(${column === undefined ? '*' : quote(column)}) from ${quote(liveTable)}`;
};

/** The statements that make a table with all that belongs to it: its indexes, and for records their total. */
export const makeTable = (table: Table, dialect: Dialect): string[] => [
  createTable(table, dialect),
  ...indexes(table).map((index) => createIndex(index, dialect)),
  ...(table.kind === 'record' ? [`insert into ${quote(rowCounters)} values (${literal(table.name)}, '', 0, 0)`] : []),
];

/** The statements that make a new database, for either engine: what `generated/schema.sql` shows. */
export const createSchema = (tables: readonly Table[]): string[] => [
  createRowCounters,
  ...tables.flatMap((table) => makeTable(table, commonDialect)),
];
