import type { Table } from '../../kernel/model/table.ts';
import type { TotalOwners } from '../../kernel/sql/total-owners.ts';

/** The owners of the totals over each table that has any. */
export function totalOwnersOf(tables: readonly Table[]): TotalOwners {
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
