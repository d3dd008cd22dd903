import type { Value } from '../../kernel/model/fields.ts';
import { erasing, noteErased } from '../../kernel/sql/deletes.ts';
import type { TableSql } from '../../kernel/sql/table-sql.ts';
import type { Row, Statement, Steps } from '../../kernel/sql/types.ts';
import type { Deletion, Ids } from '../../kernel/sql/write-part.ts';

/** Line items that are deleted at once: more would keep the database in one round for long. */
const itemsPerSlice = 5_000;

/** Deletes the line items of records, in slices: what goes with its parent restricts nothing. */
export function* deleteItems(deletion: Deletion, ids: Ids): Steps<void> {
  const { dml, write, counts } = deletion;
  let left = [...ids].flatMap(([table, parents]) =>
    dml.itemsOf(table).flatMap((name) => {
      const sql = dml.of(name, write.organization);
      for (const parent of parents) counts.add({ sql, parent, rows: -Infinity });
      return parents.map((parent) => ({ sql, parent, after: [] as Row }));
    }),
  );
  let statements: Statement[] = [];
  while (left.length > 0) {
    const locks = left.map(({ sql, parent, after }) => lockItems(sql, parent, after));
    const results = yield { statements: [...statements, ...locks], keepsTransactionOpen: true };
    const found = results.slice(statements.length);
    statements = [];
    for (const [i, { sql }] of left.entries()) {
      const items = (found[i] ?? []).map(([, id]) => id as string);
      deletion.items += items.length;
      yield* noteErased(deletion, sql, items, true);
      if (items.length > 0) statements.push(...erasing(deletion, sql, items));
    }
    // Behind the last slice it begins again: an item may have got another place meanwhile.
    left = left.flatMap((one, i) => {
      const rows = found[i] ?? [];
      if (rows.length === 0 && one.after.length === 0) return [];
      return [{ ...one, after: rows.length === itemsPerSlice ? (rows.at(-1) as Row) : [] }];
    });
  }
}

/** Locks line items of a parent, in their order; returns the place and id of each. @param after the last row before them */
export function lockItems(sql: TableSql, parent: string, after: readonly unknown[] = []): Statement {
  const values = [parent, itemsPerSlice, ...(after as readonly Value[])];
  return sql.statement(`lock items ${after.length}`, values, () => {
    const ofParent = sql.equals(sql.table.parent?.field ?? '', sql.param(1));
    const rest = after.length > 0 ? [`("idx", "id") > (${sql.param(3)}, ${sql.param(4)})`] : [];
    const rows = sql.organizationRows([ofParent, ...rest]);
    return `select "idx", "id" from ${rows} order by "idx", "id" limit ${sql.param(2)}${sql.dialect.lock.forDelete}`;
  });
}
