import { foldText } from '../../kernel/model/fold.ts';
import type { Column, Table } from '../../kernel/model/table.ts';
import type { HiddenColumn } from '../../kernel/sql/table-parts.ts';
import { shortName } from '../../kernel/sql/values.ts';
import type { SchemaDialect } from '../../migrations/definitions.ts';
import { type Index, orderIndexes as indexesOf } from '../../migrations/indexes.ts';

/** The hidden column of the folded text of a field, whole: that of unique fields has the hash of a long one. */
const orderColumn = (field: string): string => shortName(`_${field}`, '_order');

export const isOrderColumn = (column: string): boolean => /^_.*_order$/.test(column);

/** The fields that are sorted by their folded texts, and their hidden columns as lists sort by them. */
const columnsOf = ({ list, columns }: Table): readonly (readonly [field: string, column: Column])[] =>
  columns
    .filter(({ name }) => list.ignoreCase?.includes(name))
    .map(({ backfill: _backfill, formerValues: _formerValues, ...column }) => [
      column.name,
      { ...column, name: orderColumn(column.name) },
    ]);

export const orderColumns = (table: Table): HiddenColumn[] =>
  columnsOf(table).map(([field, column]) => ({
    name: column.name,
    type: 'text',
    fields: [field],
    valueOf: ({ [field]: value }) => (typeof value === 'string' ? foldText(value) : null),
    column,
    orders: field,
  }));

/** Line items are sorted within their parent. */
export const orderIndexes = (table: Table, dialect: SchemaDialect): Index[] =>
  table.kind === 'line-item' ? [] : columnsOf(table).flatMap(([, column]) => indexesOf(table, column, dialect));
