import { findEvent } from '../trail/events.ts';
import type { WriteRejection } from '../../kernel/records/write.ts';
import type { Rows, Statement } from '../../kernel/sql/types.ts';
import type { ChangeRequest, WritePart } from '../../kernel/sql/write-part.ts';
import type { FeatureCode } from '../../kernel/model/error-codes.ts';

export const changedSince = {
  code: 'changed_since',
  behind: 'cascade_too_large',
  status: 409,
  title: 'Changed since',
  meaning: 'The record is no longer as the event left it, so that the event cannot be undone. Nothing was done.',
  remedy: 'Read the record and its newer events, and change it yourself.',
} as const satisfies FeatureCode;

function lockRestored({ sql, id, write }: ChangeRequest): Statement[] {
  if (write.op !== 'insert' || write.version === undefined) return [];
  return [sql.lock(id, 'exclusive'), findEvent(sql.dialect, sql.organization, id, write.version)];
}

const rejectRestored = ({ write }: ChangeRequest, results: Rows): WriteRejection | undefined =>
  write.op === 'insert' && results.flat().length > 0 ? { outcome: 'stale', version: write.version ?? 1 } : undefined;

/** Rejects a record that an undo restores if it is there, or was since. */
export const restoredRecord: WritePart = {
  isFor: (kind) => kind === 'restore',
  before: lockRestored,
  reject: (change, { before }) => rejectRestored(change, before),
  *search(change) {
    const statements = lockRestored(change);
    return statements.length === 0
      ? undefined
      : rejectRestored(change, yield { statements, keepsTransactionOpen: true });
  },
};
