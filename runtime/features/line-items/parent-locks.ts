import type { Value } from '../../kernel/model/fields.ts';
import type { WriteRejection } from '../../kernel/records/write.ts';
import type { Dml } from '../../kernel/sql/dml.ts';
import { selectParents } from '../../kernel/sql/record-locks.ts';
import type { TableSql } from '../../kernel/sql/table-sql.ts';
import type { Rows, Statement } from '../../kernel/sql/types.ts';
import { rejectLocked } from '../states/locked.ts';

/**
 * Locks the parents of line items, and selects their states; nothing if these lock no items, and the write changes no parents.
 *
 * Parents are locked before their items. An item may move until it is locked itself: what comes after that sees its parent.
 *
 * @param changesParents whether totals of the parents may change
 * @param other the parent that an item is moved to, which is locked in the same order
 */
export function lockParents(
  dml: Dml,
  sql: TableSql,
  ids: readonly string[],
  changesParents = dml.hasTotals(sql.table.name, sql.parentField),
  other?: Value,
): Statement[] {
  const { dialect, table, organization } = sql;
  const lock = dml.parentLock(sql, changesParents);
  // A single writer locks nothing, and has to know no states.
  const isNeeded = lock === 'exclusive' && dialect.lock.exclusive !== '';
  if (table.parent?.table === undefined || !(isNeeded || dml.lockingParents(sql))) return [];
  const parents = dml.of(table.parent.table, organization);
  const isMove = isNeeded && typeof other === 'string';
  return [
    parents.statement(`of items ${table.name} ${lock} ${isMove}`, [ids, ...(isMove ? [other] : [])], () => {
      const own = selectParents(sql, sql.param(1));
      const all = isMove ? `${own} union all select cast(${sql.param(2)} as text)` : own;
      const rows = parents.organizationRows([dialect.isSelected('"id"', all)]);
      return `select "id", ${parents.states} from ${rows} order by "id"${dialect.lock[lock]}`;
    }),
  ];
}

/** The rejection of a write of line items whose parent is locked. @param results the rows of `lockParents` */
export function rejectItems(dml: Dml, sql: TableSql, results: Rows): WriteRejection | undefined {
  const parents = dml.lockingParents(sql);
  return parents && rejectLocked(parents, results.flat());
}
