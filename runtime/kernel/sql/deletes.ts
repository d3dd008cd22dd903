import type { Value } from '../model/fields.ts';
import type { ShownRecord } from '../model/table.ts';
import type { OrganizationWrite } from '../records/write.ts';
import { changesOf, eventsOf, hasEvents, lockChange } from './changes.ts';
import type { Dml } from './dml.ts';
import { changesBy, counterOwner, RowCounts } from './row-counters.ts';
import type { StaleRecords } from './stale-records.ts';
import type { LockedRow, TableSql } from './table-sql.ts';
import type { TotalOwner } from './total-owners.ts';
import type { Statement, Steps, WriteSteps } from './types.ts';
import type { Deletion, Ids } from './write-part.ts';

/** Deletes a record, and does what the parts do with those that belong to it or name it. */
export function* remove(dml: Dml, write: OrganizationWrite<'delete'>, stale?: StaleRecords): WriteSteps {
  const { table, organization, id } = write;
  const sql = dml.of(table, organization);
  // The event has all of it.
  const names = hasEvents(sql.table)
    ? undefined
    : ['id', ...sql.lockFields, sql.parentField, ...dml.totalOwners(table).flatMap(({ reads }) => [...reads])];
  const parts = dml.partsFor('delete', sql.table);
  const request = { dml, parts, sql, write, id, given: {}, operation: 'delete', stale, names };
  // At once against all others: a write that names the record holds its lock until it is visible, or finds no record.
  const locked = yield* lockChange(request, sql.forUpdate(id, names, 'forDelete'));
  if ('outcome' in locked) return locked;
  const { record, version } = locked.stored as LockedRow;
  const ids: Ids = new Map([[table, [id]]]);
  const deletion: Deletion = {
    dml,
    write,
    ids,
    stale,
    counts: new RowCounts(),
    others: 0,
    items: 0,
  };
  const events = eventsOf(sql, 'delete', id, version + 1, () => changesOf(record, undefined));
  yield { statements: [sql.erase([id])], events, keepsTransactionOpen: true };
  yield* deleteBelongings(deletion, ids);
  noteUncounted(deletion, sql, [counterOwner(sql, record)]);
  stale?.addOwners(table, dml.totalOwners(table), record);
  for (const part of dml.parts) {
    const rejection = part.removed && (yield* part.removed(deletion));
    if (rejection) return rejection;
  }
  if (write.isAlone && deletion.others + deletion.items > 0) return { outcome: 'stale', version };
  yield { statements: [], counts: deletion.counts.drain() };
  return { outcome: 'deleted' };
}

/** Deletes whatever belongs to deleted records. */
export function* deleteBelongings(deletion: Deletion, ids: Ids): Steps<void> {
  for (const part of deletion.dml.parts) if (part.belongings) yield* part.belongings(deletion, ids);
}

/** Statements that delete rows which are locked, with what their parts do ahead of that. */
export const erasing = ({ dml, write }: Deletion, sql: TableSql, ids: readonly string[]): Statement[] => [
  ...dml.parts.flatMap((part) => part.erasing?.(sql, write.origin, ids) ?? []),
  sql.erase(ids),
];

/** Notes the row counters of rows that are deleted. @param parents those of the rows */
export function noteUncounted({ counts }: Deletion, sql: TableSql, parents: readonly Value[]): void {
  for (const parent of parents) for (const change of changesBy(sql, parent, -1)) counts.add(change);
}

/**
 * Notes the records whose totals follow from rows that are about to be deleted.
 *
 * @param isWithParents the parents of these line items are deleted, too
 */
export function* noteErased(
  { dml, stale }: Deletion,
  sql: TableSql,
  ids: readonly string[],
  isWithParents = false,
): Steps<void> {
  const { name } = sql.table;
  const owners = dml.totalOwners(name).filter(({ column }) => !(isWithParents && column === sql.parentField));
  for (const record of yield* readRecords(sql, ids, owners)) stale?.addOwners(name, owners, record);
}

/** The columns of rows that totals follow from; no rows if there are no totals. */
export function* readRecords(
  sql: TableSql,
  ids: readonly string[],
  owners: readonly TotalOwner[],
): Steps<readonly ShownRecord[]> {
  if (owners.length === 0 || ids.length === 0) return [];
  const names = ['id', ...new Set(owners.flatMap(({ reads }) => [...reads]))];
  const [rows = []] = yield { statements: [sql.some(ids, names)], keepsTransactionOpen: true };
  return rows.map((row) => sql.lockedRow(row, names).record);
}
