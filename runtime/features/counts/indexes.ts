import type { Column, Table } from '../../kernel/model/table.ts';
import { coveringIndex, type Index } from '../../migrations/indexes.ts';
import type { SchemaDialect } from '../../migrations/definitions.ts';

/** The columns whose values the index of a count has, so that no row is read: sums, and whether lists show the record. */
const coveredColumns = ({ counts, unlistedBy }: Table): string[] => [
  ...(counts?.sum ?? []),
  ...(unlistedBy === undefined ? [] : [unlistedBy]),
];

/** An index for each field that records are counted by; line items are few in each parent. */
export function countIndexes(table: Table, dialect: SchemaDialect): Index[] {
  if (!table.counts || table.parent) return [];
  const column = (name: string): Column => table.columns.find((one) => one.name === name) as Column;
  const covered = coveredColumns(table).map(column);
  return table.counts.by.map((name) => coveringIndex(table, column(name), covered, dialect));
}
