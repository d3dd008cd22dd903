import type { Value } from '../model/fields.ts';
import { maxAttempts } from '../records/limits.ts';
import type { WriteOf, WriteRejection, WriteResult } from '../records/write.ts';
import { findEvent } from './events.ts';
import type { Statement } from './query-dialect.ts';
import type { Round, Row, Steps } from './steps.ts';
import type { TableSql } from './table-sql.ts';

/** A record that is to have values, which may be those of another one. */
type UniqueValues = Pick<WriteOf<'update'>, 'id' | 'set'>;

/** Rejects a record with a version, which an undo restores, if it is there, or was since. */
export function* rejectRestored(
  sql: TableSql,
  id: string,
  version: number | undefined,
): Steps<WriteRejection | undefined> {
  if (version === undefined) return undefined;
  const { dialect, organization } = sql;
  const statements = [sql.lock(id, 'exclusive'), findEvent(dialect, organization, id, version)];
  const found = yield { statements, keepsTransactionOpen: true };
  return found.some((rows) => rows.length > 0) ? { outcome: 'stale', version } : undefined;
}

/**
 * Stores a row with what follows from it. If its statement may store none, as the row clashes with another one, that is a
 * round of its own: only a row that is stored is counted.
 *
 * @param record false if the statement always stores the row
 */
export function* storeRow(
  sql: TableSql,
  statement: Statement,
  effects: Pick<Round, 'counts' | 'events'>,
  record: (UniqueValues & { readonly version?: number | undefined }) | false,
  later?: readonly Value[],
): Steps<Row | WriteRejection> {
  if (!record) {
    const [rows] = yield { statements: [statement], ...effects };
    return rows?.[0] ?? [];
  }
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const [rows] = yield { statements: [statement], keepsTransactionOpen: true };
    if (rows?.[0]) {
      yield { statements: [], ...effects };
      return rows[0];
    }
    const clash = (yield* rejectRestored(sql, record.id, record.version)) ?? (yield* findClash(sql, record, later));
    if (clash) return clash;
  }
  throw new Error(`The record ${record.id} cannot be stored, for no visible reason.`);
}

/** Finds a record whose values keep those of `set` from being stored; undefined if there is none, or none any more. */
function* findClash(
  sql: TableSql,
  { id, set }: UniqueValues,
  later: readonly Value[] = [],
): Steps<WriteRejection | undefined> {
  const keys = sql.keysOf(set);
  if (keys.length === 0) return undefined;
  const found = yield { statements: keys.map((key) => sql.clash(key, id, set)), keepsTransactionOpen: true };
  const clashes = found.flatMap(([row], at) => (row ? [{ fields: keys[at]?.fields ?? [], id: row[0] as string }] : []));
  const clash = clashes.find((one) => !later.includes(one.id)) ?? clashes[0];
  return clash && { outcome: 'not_unique', ...clash };
}

/** The result of a write that has stored a row. @param row what its statement returns */
export function written({ dialect, table }: TableSql, row: Row | undefined, version: number): WriteResult {
  if (!row) throw new Error('A write returned no record.');
  return { outcome: 'written', json: dialect.returnedJson(table, row), version };
}
