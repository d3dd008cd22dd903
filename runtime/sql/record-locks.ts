import type { WriteRejection } from '../records/store.ts';
import type { ShownRecord } from './events.ts';
import { quote } from './schema.ts';
import type { Row } from './steps.ts';
import type { Dml, Statement, TableSql } from './table-sql.ts';

/** The rejection of a write that one of these records locks. @param rows ids and states */
export function rejectLocked({ table }: TableSql, rows: readonly Row[]): WriteRejection | undefined {
  const { lock, path, title } = table;
  const [id, state] = rows.find((row) => lock?.states.includes(String(row[1]))) ?? [];
  if (!lock || id === undefined) return undefined;
  return { outcome: 'locked', resource: path, title, id: id as string, field: lock.field, state: state as string };
}

/** The same of a record that its own state may lock. */
export const rejectRecord = (sql: TableSql, id: string, record: ShownRecord): WriteRejection | undefined =>
  rejectLocked(sql, [[id, record[sql.table.lock?.field ?? '']]]);

/** The table of the parents of line items, if their states can lock them. */
export function lockingParents(dml: Dml, { table, organization }: TableSql): TableSql | undefined {
  const parents = table.parent?.table === undefined ? undefined : dml.of(table.parent.table, organization);
  return parents?.table.lock && parents;
}

/**
 * Locks the parents of line items against changes, and selects their states; nothing if these lock no items.
 *
 * Parents are locked before their items. An item may move until it is locked itself: what comes after that sees its parent.
 */
export function lockParents(dml: Dml, sql: TableSql, ids: readonly string[]): Statement[] {
  const parents = lockingParents(dml, sql);
  if (!parents) return [];
  const { dialect, table } = sql;
  return [
    parents.statement(`of items ${table.name}`, [ids], () => {
      const named = sql.organizationRows([dialect.isIn(sql.column('id'), '"id"', sql.param(1))]);
      const rows = parents.organizationRows([`"id" in (select ${quote(table.parent?.field ?? '')} from ${named})`]);
      return `select "id", ${parents.state} from ${rows} order by "id"${dialect.lock.againstChange}`;
    }),
  ];
}

/** The rejection of a write of line items whose parent is locked. @param results the rows of `lockParents` */
export function rejectItems(dml: Dml, sql: TableSql, results: readonly (readonly Row[])[]): WriteRejection | undefined {
  const parents = lockingParents(dml, sql);
  return parents && rejectLocked(parents, results.flat());
}
