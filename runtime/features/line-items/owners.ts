import { named } from '../../kernel/sql/parts.ts';
import type { WritePart } from '../../kernel/sql/write-part.ts';
import { isLockable } from '../states/locked.ts';
import { deleteItems } from './delete-items.ts';
import { lockParents, rejectItems } from './parent-locks.ts';

/** The parent of a line item, whose states lock it, and the items that go with their parent. */
export const owners: WritePart = {
  isFor: (_, { parent }) => parent?.table !== undefined,
  before({ dml, sql, id, given, write, stale }) {
    if (write.op === 'insert') return [];
    const changed = write.op === 'delete' ? [sql.parentField] : Object.keys(given);
    const changedOwners = stale ? dml.changedOwners(sql.table, changed) : [];
    const changesParents = changedOwners.some(({ column }) => column === sql.parentField);
    return lockParents(dml, sql, [id], changesParents, given[sql.parentField]);
  },
  // The item may have moved before it was locked.
  repeatsBefore: true,
  reject(change, { behind }) {
    const { dml, sql, given, rowsOf } = change;
    if (!isLockable(change)) return undefined;
    const next = typeof given[sql.parentField] === 'string' ? rowsOf(named).before.slice(0, 1) : [];
    return rejectItems(dml, sql, [...next, ...behind]);
  },
  belongings: deleteItems,
};
