import { lockParents, rejectItems, rejectRecord } from './record-locks.ts';
import { namedRecords, rejectMissing } from './references.ts';
import { mayChangeTotals } from './totals.ts';
import type { Statement } from './types.ts';
import { type ChangeRequest, parentField, type WritePart } from './write-part.ts';

const lockOwners = ({ dml, sql, write, stale }: ChangeRequest): Statement[] => {
  const changesParents = stale !== undefined && mayChangeTotals(dml, sql, Object.keys(write.set));
  return lockParents(dml, sql, [write.id], changesParents, write.set[parentField(sql)]);
};

/** The parent of a line item, and the states that lock it or the record. */
export const owners: WritePart = {
  before: lockOwners,
  // The item may have moved before it was locked.
  behind: lockOwners,
  reject(change, { behind }, rowsOf) {
    const { dml, sql, write, stored, state, changing, derived } = change;
    const isFree = (name: string): boolean =>
      Object.hasOwn(derived.computed, name) || (sql.table.lock?.except?.includes(name) ?? false);
    if (state !== undefined || write.isTakenBack || changing.every(isFree)) return undefined;
    const owned = [...rowsOf(nextOwner).before, ...behind];
    return rejectRecord(sql, write.id, stored.record) ?? rejectItems(dml, sql, owned);
  },
};

const namedParent = ({ dml, sql, write }: ChangeRequest) =>
  namedRecords(dml, sql, (column) => (column === parentField(sql) ? write.set[column] : undefined));

/** The parent that a line item is moved to. */
export const nextOwner: WritePart = {
  before: (change) => namedParent(change).map(({ lock }) => lock),
  reject: (change, { before }) =>
    before.every(({ length }) => length > 0) ? undefined : rejectMissing(change.sql, namedParent(change), before),
};
