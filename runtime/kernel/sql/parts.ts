import type { Feature } from '../feature.ts';
import type { FieldValue, Value } from '../model/fields.ts';
import { showsValue } from '../model/table.ts';
import { fitsChanged, fitsRecord } from '../records/record-size.ts';
import { compareText } from '../values/text.ts';
import { conditionsOfParent } from './conditions.ts';
import type { LockStrength } from './record-locks.ts';
import { lockExternalParent } from './row-counters.ts';
import { parentColumns } from './schema.ts';
import type { TableSql } from './table-sql.ts';
import type { Statement } from './types.ts';
import type { ChangeRequest, ColumnValues, WritePart } from './write-part.ts';

/** `If-Match`, fields that cannot change, and the states that a transition starts from. */
const expectations: WritePart = {
  isFor: (kind) => kind !== 'create' && kind !== 'restore',
  reject({ sql, write, stored, state }) {
    if (!stored || write.op === 'insert') return undefined;
    const { record, version } = stored;
    if (write.versions && !write.versions.includes(version)) return { outcome: 'stale', version };
    const isAsExpected = ([name, values]: [string, Value | readonly Value[]]): boolean =>
      [values].flat().some((value) => showsValue(sql.column(name), record[name] as FieldValue, value));
    const expected = write.op === 'update' ? Object.entries(write.expected) : [];
    const columns = expected.flatMap((entry) => (isAsExpected(entry) ? [] : [entry[0]]));
    if (columns.length === 0) return undefined;
    if (state === undefined) return { outcome: 'unexpected', columns };
    return { outcome: 'wrong_state', state: (record[state] ?? null) as Value };
  },
};

/** The size of a record: that of a new one without columns that parts derive was checked when it was prepared. */
const size: WritePart = {
  isFor: (kind) => kind !== 'delete',
  behind: ({ sql, id, names }) => (names ? [sql.bytes(id)] : []),
  reject({ sql, stored, set, derived, changing, names }, { behind }) {
    if (!stored) {
      if (Object.keys(derived).every((name) => name === 'idx')) return undefined;
      const values = sql.table.columns.map(({ name }) => set[name] as Value);
      return fitsRecord(sql.table, values) ? undefined : { outcome: 'record_too_large' };
    }
    if (changing.length === 0) return undefined;
    const bytes = names ? Number(behind[0]?.[0]?.[0]) : stored.bytes;
    return fitsChanged(sql.table, bytes, stored.record, set) ? undefined : { outcome: 'record_too_large' };
  },
};

/** The fields that a transition requires. */
const required: WritePart = {
  isFor: (kind) => kind === 'transition',
  reject({ requires = [], stored, set }) {
    const columns = requires.filter((name) => (name in set ? set[name] : stored?.record[name]) === null);
    return columns.length > 0 ? { outcome: 'null_in_required', columns } : undefined;
  },
};

/** A record that a write names: it must exist until the write is visible. */
interface NamedRecord {
  readonly column: string;
  readonly sql: TableSql;
  readonly id: Value;
  readonly lock: LockStrength;
  /** Totals of it change with the write. */
  readonly isRead: boolean;
}

/** Whether the place of a line item depends on its siblings: the next one waits for its parent. */
const isAppended = ({ write, sql, given }: ChangeRequest): boolean =>
  write.op === 'insert' && sql.table.parent !== undefined && given['idx'] === null;

/**
 * Whether a record is created alone: no other write waits for its row, so that the records whose totals change are locked, and read,
 * ahead of it. Otherwise they are locked behind the rows: see `takeAll`.
 */
const isAlone = ({ write, stale }: ChangeRequest): boolean => write.op === 'insert' && stale?.isOfBatch === false;

/** The records that values of a row name: the parent first, where this service has it. */
function namedBy(change: ChangeRequest): NamedRecord[] {
  const { dml, sql, given } = change;
  const { table, organization } = sql;
  const { parent } = table;
  const lockOfParent = dml.parentLock(sql, isAppended(change) || dml.hasTotals(table.name, sql.parentField));
  const ofParent =
    parent?.table === undefined ? [] : [{ column: parent.field, table: parent.table, lock: lockOfParent } as const];
  const isOwner = (column: string): boolean => isAlone(change) && dml.hasTotals(table.name, column);
  const references = dml.referencesOf(table.name).flatMap((reference) => {
    const { column, table: target } = reference;
    const id = String(given[column]);
    if (!dml.isOfTarget(reference, id)) return [];
    return [{ column, table: target, lock: isOwner(column) ? 'exclusive' : 'againstDelete', id } as const];
  });
  const inOrder = references.toSorted((a, b) => dml.placeOf(a.table) - dml.placeOf(b.table) || compareText(a.id, b.id));
  return [...ofParent, ...inOrder].flatMap(({ column, table: target, lock }) => {
    const id = given[column] ?? null;
    return id === null ? [] : [{ column, sql: dml.of(target, organization), id, lock, isRead: isOwner(column) }];
  });
}

/** The records that a write names: the parent of a new line item or of one that moves, and those of references. */
export const named: WritePart = {
  isFor: (kind, { name, parent }, dml) =>
    kind !== 'delete' && (parent?.table !== undefined || dml.referencesOf(name).length > 0),
  before: (change) => namedBy(change).map(({ sql, id, lock, isRead }) => sql.lock(id, lock, isRead)),
  reject(change, { before }) {
    // The names are only needed if a record is missing.
    if (before.every(({ length }) => length > 0)) return undefined;
    const { sql } = change;
    const columns = namedBy(change).flatMap(({ column }, i) => (before[i]?.length === 0 ? [column] : []));
    if (columns.includes(sql.parentField)) return { outcome: 'parent_missing' };
    return { outcome: 'reference_missing', columns: columns.toSorted((a, b) => sql.position(a) - sql.position(b)) };
  },
  storing(change, { before }) {
    if (!isAlone(change)) return;
    for (const [i, { sql, id, isRead }] of namedBy(change).entries()) {
      const row = before[i]?.[0];
      if (isRead && row) change.stale?.add({ table: sql.table.name, id: String(id), items: [], row: sql.readRow(row) });
    }
  },
};

/** The place of a line item behind its siblings. */
export const appended: WritePart = {
  isFor: (kind, { parent }) => parent !== undefined && (kind === 'create' || kind === 'restore'),
  ahead(sql, write) {
    const { parent } = sql.table;
    if (write.op !== 'insert' || !parent || parent.table !== undefined) return [];
    if (write.values[sql.position('idx')] !== null) return [];
    return [lockExternalParent(sql, write.values[sql.position(parent.field)] as Value) ?? []].flat();
  },
  behind(change) {
    if (!isAppended(change)) return [];
    const { sql, given } = change;
    const { parent } = sql.table;
    // The next insert under this parent waits for the lock, and then sees this item.
    const external = parent?.table === undefined ? lockExternalParent(sql, given[sql.parentField] ?? null) : undefined;
    return [...(external ? [external] : []), lastIndex(sql, given)];
  },
  // oxlint-disable-next-line require-yield
  *derive(change, _, { behind }) {
    return { computed: isAppended(change) ? { idx: Number(behind.at(-1)?.[0]?.[0]) + 1 } : {} };
  },
  reject: (_, { derived }) =>
    Number(derived?.computed['idx'] ?? 0) > Number.MAX_SAFE_INTEGER ? { outcome: 'idx_exhausted' } : undefined,
};

/** The largest `idx` of the line items with the parent that is among these values; 0 if there are none. */
export function lastIndex(sql: TableSql, values: ColumnValues): Statement {
  const where = parentColumns(sql.table).map((column) => [column, values[column] as Value] as const);
  const { bound, bind } = sql.binding();
  const siblings = conditionsOfParent(sql, Object.fromEntries(where), bind);
  return sql.statement(`select coalesce(max("idx"), 0) from ${sql.organizationRows(siblings)}`, bound);
}

/** The shares of the kernel and of each feature in writes, in the order of their locks and of their reasons to reject a write. */
export const partsOf = (features: readonly Feature[]): readonly WritePart[] => [
  expectations,
  size,
  required,
  ...features.flatMap(({ write }) => write ?? []),
  named,
  appended,
];
