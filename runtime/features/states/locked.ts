import type { FeatureCode } from '../../kernel/model/error-codes.ts';
import { ApiError } from '../../kernel/model/errors.ts';
import type { Lock } from '../../kernel/model/table.ts';
import { quoted } from '../../kernel/model/text.ts';
import type { Words, WriteRejection } from '../../kernel/records/write.ts';
import type { TableSql } from '../../kernel/sql/table-sql.ts';
import type { Row } from '../../kernel/sql/types.ts';
import type { LockedChange, WritePart } from '../../kernel/sql/write-part.ts';

export const lockedCode = {
  code: 'locked',
  behind: 'wrong_state',
  status: 409,
  title: 'Locked',
  meaning: 'A record that the write would change or delete, or the parent of a line item, is in a state that locks it.',
  remedy:
    'Move the record by one of its transitions, if it has one from this state. Fields that are not locked can change.',
} as const satisfies FeatureCode;

declare module '../../kernel/records/write.ts' {
  interface Rejections {
    /** A value of a record allows no such write: its id, unless the same batch would have created it. */
    locked: { resource: string; title: string; id?: string; reason: string };
  }
}

export const describeLocked: Words<'locked'> = {
  locked({ title, resource, id = '', reason }, _, isReadable) {
    const record = isReadable(resource) ? `The ${title} ${id}` : 'A record that the key may not read';
    return new ApiError(lockedCode, `${record.trim()} is locked: ${reason}.`);
  },
};

/** The values of fields that lock a record. */
export const lockedByState: WritePart = {
  isFor: (kind, { locks = [] }) =>
    kind === 'transition' ? locks.some(({ states }) => !states) : kind !== 'create' && locks.length > 0,
  reject(change) {
    const { sql, id, stored } = change;
    if (!stored) return undefined;
    const states = sql.lockFields.map((field) => stored.record[field]);
    const locks = sql.table.locks?.filter((lock) => isLockable(change, lock));
    return rejectLocked(sql, [[id, ...states]], locks);
  },
};

/**
 * Whether a value can lock a write: not a change of fields that it leaves free, nor one that locks or unlocks the record itself;
 * and a state no transition, nor the undo of one.
 *
 * @param lock undefined for the lock of a parent
 */
export function isLockable({ sql, write, state, changing, derived }: LockedChange, lock?: Lock): boolean {
  const isMove = state !== undefined || (write.op === 'update' && write.isTakenBack);
  if (isMove) return lock !== undefined && !lock.states;
  if (sql.table.locks?.some(({ field, states }) => !states && changing.includes(field))) return false;
  const isFree = (name: string): boolean => Object.hasOwn(derived, name) || (lock?.except?.includes(name) ?? false);
  return write.op !== 'update' || !changing.every(isFree);
}

/**
 * The rejection of a write that one of these records locks.
 *
 * @param rows ids and the values of `lockFields`
 * @param locks those of the table that count
 */
export function rejectLocked(
  { table }: TableSql,
  rows: readonly Row[],
  locks: readonly Lock[] = table.locks ?? [],
): WriteRejection | undefined {
  const { path, title } = table;
  for (const [id, ...values] of rows) {
    for (const [i, lock] of table.locks?.entries() ?? []) {
      const state = values[i];
      if (typeof state !== 'string' || !locks.includes(lock) || lock.states?.includes(state) === false) continue;
      const { reason = `its ${lock.field} is ${quoted(state)}` } = lock;
      return { outcome: 'locked', resource: path, title, id: id as string, reason };
    }
  }
  return undefined;
}
