import type { Table } from '../model/table.ts';
import { compareText } from '../values/text.ts';

/** Records whose totals follow from the rows of a table. */
export interface TotalOwner {
  /** The column of the rows that names the record. */
  readonly column: string;
  /** The table of the record. */
  readonly table: string;
  /** The columns of the rows that the totals follow from, among them `column`. */
  readonly reads: ReadonlySet<string>;
}

/** The owners of totals, by the table of the rows that these are over. */
export type TotalOwners = ReadonlyMap<string, readonly TotalOwner[]>;

/**
 * Tables in the order in which writes change and lock their records: those with totals behind those whose rows these are over,
 * unless they are in a circle, and parents of line items before others.
 */
export function inTotalOrder(tables: readonly Table[], owners: TotalOwners): Table[] {
  const ranks = new Map<string, number>();
  const rankOf = ({ name }: Table): number => {
    const known = ranks.get(name);
    if (known !== undefined) return known;
    // It is reached again if it is in a circle.
    ranks.set(name, 0);
    const isOver = (rows: Table): boolean => owners.get(rows.name)?.some(({ table }) => table === name) ?? false;
    const rank = Math.max(-1, ...tables.filter(isOver).map(rankOf)) + 1;
    ranks.set(name, rank);
    return rank;
  };
  const parents = new Set(tables.map(({ parent }) => parent?.table));
  const isOther = ({ name }: Table): number => Number(!parents.has(name));
  return tables.toSorted((a, b) => rankOf(a) - rankOf(b) || isOther(a) - isOther(b) || compareText(a.name, b.name));
}
