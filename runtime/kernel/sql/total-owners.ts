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

/** The owners of the totals over each table that has any. */
export function totalOwnersOf(tables: readonly Table[]): ReadonlyMap<string, readonly TotalOwner[]> {
  const parents = new Map(tables.map(({ name, parent }) => [name, parent?.field ?? '']));
  const all = tables.flatMap(({ name: table, logic }) =>
    Object.values(logic?.totals ?? {}).map(({ items, by, field, when = [] }) => {
      const column = by ?? parents.get(items) ?? '';
      return {
        items,
        table,
        column,
        reads: [column, ...(field === undefined ? [] : [field]), ...when.flat().map((test) => test.field)],
      };
    }),
  );
  const byItems = Map.groupBy(all, ({ items }) => items);
  return new Map(
    [...byItems].map(([items, some]) => [
      items,
      [...Map.groupBy(some, ({ table, column }) => `${table} ${column}`).values()].map((totals) => ({
        table: totals[0]!.table,
        column: totals[0]!.column,
        reads: new Set(totals.flatMap(({ reads }) => reads)),
      })),
    ]),
  );
}

/**
 * Tables in the order in which writes change and lock their records: those with totals behind those whose rows these are over,
 * unless they are in a circle, and parents of line items before others.
 */
export function inTotalOrder(tables: readonly Table[]): Table[] {
  const ranks = new Map<string, number>();
  const rankOf = ({ name, logic }: Table): number => {
    const known = ranks.get(name);
    if (known !== undefined) return known;
    // It is reached again if it is in a circle.
    ranks.set(name, 0);
    const rows = new Set(Object.values(logic?.totals ?? {}).map(({ items }) => items));
    const rank = Math.max(-1, ...tables.filter((table) => rows.has(table.name)).map(rankOf)) + 1;
    ranks.set(name, rank);
    return rank;
  };
  const parents = new Set(tables.map(({ parent }) => parent?.table));
  const isOther = ({ name }: Table): number => Number(!parents.has(name));
  return tables.toSorted((a, b) => rankOf(a) - rankOf(b) || isOther(a) - isOther(b) || compareText(a.name, b.name));
}
