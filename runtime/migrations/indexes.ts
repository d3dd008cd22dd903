import { hash } from 'node:crypto';
import type { Feature } from '../kernel/feature.ts';
import { type Column, isFree, type Table } from '../kernel/model/table.ts';
import { idSuffix, organizationColumn } from '../kernel/sql/schema.ts';
import { isList, literal, quote, renamesOf, shortName, shownValue, sortableValue } from '../kernel/sql/values.ts';
import type { SchemaDialect } from './definitions.ts';

declare module '../kernel/feature.ts' {
  interface Feature {
    /** Indexes over columns. */
    readonly indexes?: (table: Table, dialect: SchemaDialect) => readonly Index[];
  }
}

/** An index of a table. */
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
  readonly isUnique?: true;
}

/** The last column of an index: rows with the same values are in the order of creation. */
const lastKey = ({ renamedFrom }: Table): string => (renamedFrom ? idSuffix : 'id');

/** The indexes of a table besides its primary key. */
export function indexes(described: Table, dialect: SchemaDialect, features: readonly Feature[]): Index[] {
  const { name: table, kind, parent, renamedFrom, list } = described;
  const last = lastKey(described);
  const index = (suffix: string, ...columns: readonly string[]): Index => ({
    name: `${table}_${suffix}`,
    table,
    columns: [organizationColumn, ...columns],
    ...(parent && { parent: parent.field }),
  });
  const ofFeatures = features.flatMap((feature) => feature.indexes?.(described, dialect) ?? []);
  const sorted = list.sort.filter((field) => !list.ignoreCase?.includes(field));
  if (parent)
    return [
      index('by_parent', parent.field, 'idx', last),
      ...ofFeatures,
      ...referenceIndexes(described, last, dialect),
    ];
  return [
    ...ofFeatures,
    ...(renamedFrom && kind === 'record' ? [index('by_creation', last)] : []),
    ...[...new Set([...list.filter, ...sorted])].flatMap((field) => [
      ...(hasIndex(columnOf(described, field), dialect)
        ? [fieldIndex(described, columnOf(described, field), last, true, dialect)]
        : []),
      ...(sorted.includes(field) ? [fieldIndex(described, columnOf(described, field), last, false, dialect)] : []),
    ]),
  ];
}

/** No index holds lists on every engine, or objects of any form. */
const hasIndex = (column: Column, { listIndex }: SchemaDialect): boolean =>
  !isList(column) || (listIndex !== undefined && !isFree(column));

const columnOf = ({ columns }: Table, name: string): Column => columns.find((one) => one.name === name) as Column;

/** The indexes by which the line items that reference a record are found. */
const referenceIndexes = (table: Table, last: string, dialect: SchemaDialect): Index[] =>
  table.columns.flatMap(({ references, ...column }) =>
    references ? [fieldIndex(table, column, last, true, dialect)] : [],
  );

/**
 * An index for the filters of a field, and the descending order by it; ascending, rows with the same value are in another
 * order. Its name says all that it depends on, so that it is made again when one of that changes. Line items have one for
 * references alone: they are filtered and sorted within their parent.
 */
function fieldIndex(
  described: Table,
  column: Column,
  last: string,
  isDescending: boolean,
  { values }: SchemaDialect,
): Index {
  const { name: field, type, backfill } = column;
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

/**
 * An index for the filters of a field that has values of other columns, too: what asks for these alone reads no row. Its name says
 * all that it depends on.
 */
export function coveringIndex(
  described: Table,
  column: Column,
  others: readonly Column[],
  dialect: SchemaDialect,
): Index {
  const { name, table, order } = fieldIndex(described, column, 'id', true, dialect);
  const names = others.map((other) => other.name);
  const covered = others.map((other) => `${other.name} ${dialect.values.type(other)}`).join();
  const end = `.with-${hash('sha256', covered, 'hex').slice(0, 12)}`;
  return {
    name: shortName(name, end),
    table,
    columns: [organizationColumn, column.name, ...names],
    ...(order && { order }),
  };
}

/** The indexes for both orders by a column, which may be a hidden one. */
export const orderIndexes = (table: Table, column: Column, dialect: SchemaDialect): Index[] =>
  [true, false].map((isDescending) => fieldIndex(table, column, lastKey(table), isDescending, dialect));

/** Whether an index is one of `fieldIndex`. */
export const isFieldIndex = (name: string): boolean => /^_.*[.]/.test(name);

/** Characters of a line of `generated/schema.sql`, without its semicolon. */
const maxLine = 119;

/** @param concurrently `SchemaDialect.concurrently` for an existing table */
export function createIndex(
  { name, table, columns, parent, order, isUnique }: Index,
  dialect: SchemaDialect,
  concurrently = '',
): string {
  const create = isUnique ? 'create unique index' : 'create index';
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
