import { defaultListLimit } from '../model/limits.ts';
import type { Value } from '../model/fields.ts';
import { toTimestamp } from '../model/formats.ts';
import { parentColumns } from './schema.ts';
import { mayBeLarge } from '../model/limits.ts';
import type { Change, Dml, Statement, TableSql } from './table-sql.ts';
import { batchSteps, targetsOf } from './batch.ts';
import { type NamedRecord, namedRecords, rejectMissing, remove } from './references.ts';
import { changesBy, type CountChange, lockExternalParent } from './row-counters.ts';
import type { Row, Steps, WriteSteps } from './steps.ts';
import type { OrganizationWrite, SingleWrite, Write, WriteRejection, WriteResult } from '../records/store.ts';
import { maxAttempts } from '../records/limits.ts';

/** The steps of each operation: the compiler requires a row for each. */
const operations: { readonly [Op in Write['op']]: (dml: Dml, write: OrganizationWrite<Op>) => WriteSteps } = {
  insert,
  update,
  transition,
  delete: remove,
  reorder,
  batch: (dml, write) => batchSteps(dml, write, stepsOf),
};

export function* stepsOf(dml: Dml, write: OrganizationWrite): WriteSteps {
  // No id contains U+0000, which PostgreSQL refuses.
  if ('id' in write && write.id.includes('\0')) return { outcome: 'not_found', id: write.id };
  return yield* (operations[write.op] as (dml: Dml, write: OrganizationWrite) => WriteSteps)(dml, write);
}

/** The single writes that a write consists of. */
const partsOf = (write: Write): readonly SingleWrite[] => (write.op === 'batch' ? write.writes : [write]);

/** The number of single writes that a write consists of. */
export const countOf = (write: Write): number => partsOf(write).length;

const mayChangeOthers = (dml: Dml, { op, table }: Write): boolean =>
  op === 'delete' && dml.itemsOf(table).length + dml.referencesTo(table).length > 0;

/** The ids of the records that writes change or delete; undefined if they are unknown. */
export function changedBy(dml: Dml, writes: readonly Write[]): readonly string[] | undefined {
  const parts = writes.flatMap(partsOf);
  return parts.some((part) => mayChangeOthers(dml, part)) ? undefined : parts.flatMap(targetsOf);
}

/** Whether several statements of a write change rows, so that a failure must undo those before it. */
export const isCompound = (dml: Dml, write: Write): boolean => write.op === 'batch' || mayChangeOthers(dml, write);

/** Whether a write was done: all that it has changed is undone otherwise. */
export const isDone = ({ outcome }: WriteResult): boolean =>
  outcome === 'written' || outcome === 'deleted' || outcome === 'reordered' || outcome === 'done';

/** Whether a write may take so long that other requests should not wait for it. */
export const isLong = (dml: Dml, write: OrganizationWrite): boolean =>
  partsOf(write).some((part) => {
    // In a batch, a reorder is followed by a page of the list.
    if (part.op === 'reorder') return write.op === 'batch' || part.items.length > defaultListLimit;
    if (part.op === 'delete') return mayChangeOthers(dml, part);
    // A change of a record writes all of it again.
    return part.op !== 'insert' && mayBeLarge(dml.of(part.table, write.organization).table);
  });

/** The values that a write stores. */
function valuesOf(write: SingleWrite): readonly Value[] {
  if (write.op === 'insert') return write.values;
  return write.op === 'update' ? Object.values(write.set) : [];
}

/** The number of characters that a write stores. */
export function lengthOf(write: Write): number {
  let length = 0;
  for (const part of partsOf(write)) {
    for (const value of valuesOf(part)) if (typeof value === 'string') length += value.length;
  }
  return length;
}

const single = (statement: Statement): { readonly statements: readonly [Statement] } => ({ statements: [statement] });

function* insert(dml: Dml, { table, organization, values, later }: OrganizationWrite<'insert'>): WriteSteps {
  const sql = dml.of(table, organization);
  const { parent } = sql.table;
  const id = parent ? (values[sql.position(parent.field)] as Value) : '';
  const complete = yield* placeRecord(dml, sql, values);
  if ('outcome' in complete) return complete;
  const record = sql.skipsClashes && { id: complete[sql.position('id')] as string, set: sql.byName(complete) };
  const row = yield* storeRow(sql, sql.insert(complete), changesBy(sql, id, 1), record, later);
  if ('outcome' in row) return row;
  return { outcome: 'written', json: sql.dialect.insertedJson(sql.table, complete, row) };
}

/**
 * Stores a row with the changes of row counters. If its statement may store none, as the row clashes with another one, that is a
 * round of its own: only a row that is stored is counted.
 *
 * @param record false if the statement always stores the row
 */
function* storeRow(
  sql: TableSql,
  statement: Statement,
  counts: readonly CountChange[],
  record: Pick<Change, 'id' | 'set'> | false,
  later?: readonly Value[],
): Steps<Row | WriteRejection> {
  if (!record) {
    const [rows] = yield { statements: [statement], counts };
    return rows?.[0] ?? [];
  }
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const [rows] = yield { statements: [statement], keepsTransactionOpen: true };
    if (rows?.[0]) {
      yield { statements: [], counts };
      return rows[0];
    }
    const clash = yield* findClash(sql, record, later);
    if (clash) return clash;
  }
  throw new Error(`The record ${record.id} cannot be stored, for no visible reason.`);
}

/** Finds a record whose values keep those of `set` from being stored; undefined if there is none, or none any more. */
function* findClash(
  sql: TableSql,
  { id, set }: Pick<Change, 'id' | 'set'>,
  later: readonly Value[] = [],
): Steps<WriteRejection | undefined> {
  const keys = sql.keysOf(set);
  if (keys.length === 0) return undefined;
  const found = yield { statements: keys.map((key) => sql.clash(key, id, set)), keepsTransactionOpen: true };
  const clashes = found.flatMap(([row], at) => (row ? [{ fields: keys[at]?.fields ?? [], id: row[0] as string }] : []));
  const clash = clashes.find((one) => !later.includes(one.id)) ?? clashes[0];
  return clash && { outcome: 'not_unique', ...clash };
}

/** Locks the records that a new one names until it is visible, and gives a line item an `idx`. */
function* placeRecord(dml: Dml, sql: TableSql, values: readonly Value[]): Steps<readonly Value[] | WriteResult> {
  const valueOf = (column: string): Value => values[sql.position(column)] as Value;
  const { parent } = sql.table;
  const isAppended = parent !== undefined && valueOf('idx') === null;
  const named = namedRecords(dml, sql, valueOf, isAppended ? 'exclusive' : 'againstDelete');
  // The next insert under this parent waits for the lock, and then sees this item.
  const external =
    isAppended && parent.table === undefined ? lockExternalParent(sql, valueOf(parent.field)) : undefined;
  const locks = [...named.map(({ lock }) => lock), ...(external ? [external] : [])];
  const statements = [...locks, ...(isAppended ? [sql.lastIndex(values)] : [])];
  if (statements.length === 0) return values;
  const results = yield { statements, keepsTransactionOpen: true };
  const rejection = rejectMissing(sql, named, results);
  if (rejection) return rejection;
  if (!isAppended) return values;
  const last = Number(results.at(-1)?.[0]?.[0]);
  return last < Number.MAX_SAFE_INTEGER ? values.with(sql.position('idx'), last + 1) : { outcome: 'idx_exhausted' };
}

function* update(dml: Dml, write: OrganizationWrite<'update'>): WriteSteps {
  const sql = dml.of(write.table, write.organization);
  const named = namedRecords(dml, sql, (column) => write.set[column], 'againstDelete');
  const movesItem = sql.table.parent !== undefined && write.set[sql.table.parent.field] !== undefined;
  return yield* named.length > 0 || movesItem ? changeNaming(sql, write, named) : change(sql, write);
}

function* transition(dml: Dml, write: OrganizationWrite<'transition'>): WriteSteps {
  const { table, organization, id, field, from, to, time } = write;
  const sql = dml.of(table, organization);
  return yield* change(sql, { id, set: { [field]: to }, expected: { [field]: from }, time }, field);
}

/** @param state the field whose former value a failure names */
function* change(sql: TableSql, write: Change, state?: string): WriteSteps {
  const isEmpty = Object.keys(write.set).length === 0;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    if (!isEmpty) {
      const [rows] = yield single(sql.update(write));
      if (rows?.[0]) return written(rows[0]);
    }
    const [stored] = yield single(sql.compare(write));
    const older = expectingOlderForms(sql, write, stored?.[0]);
    if (older) return yield* change(sql, older, state);
    const failure = mismatch(write, stored?.[0], state) ?? (yield* findClash(sql, write));
    if (failure) return failure;
    if (isEmpty) return written(stored?.[0]);
  }
  throw new Error(`The record ${write.id} cannot be changed, for no visible reason.`);
}

/** An update that names other records: it may set the parent, and so change two row counters. */
function* changeNaming(sql: TableSql, write: Change, named: readonly NamedRecord[]): WriteSteps {
  // Lock order: the parent before the item.
  const results = yield {
    statements: [...named.map(({ lock }) => lock), sql.compare(write, sql.dialect.lock.exclusive)],
    keepsTransactionOpen: true,
  };
  const stored = results.at(-1)?.[0];
  const older = expectingOlderForms(sql, write, stored);
  if (older) return yield* changeNaming(sql, older, named);
  const rejection = mismatch(write, stored) ?? rejectMissing(sql, named, results);
  if (rejection) return rejection;
  const counts = movesBy(sql, write, stored?.[1] as string | null);
  const row = yield* storeRow(sql, sql.update(write), counts, sql.table.unique !== undefined && write);
  return 'outcome' in row ? row : written(row);
}

/** The changes of row counters by an update of an item with this parent: in one order, so that two moves cannot deadlock. */
function movesBy(sql: TableSql, { set }: Change, former: string | null): CountChange[] {
  const parent = set[sql.table.parent?.field ?? ''];
  if (parent === undefined || parent === former) return [];
  const counts = [...changesBy(sql, former, -1), ...changesBy(sql, parent, 1)];
  return counts.toSorted((a, b) => (a.parent < b.parent ? -1 : 1));
}

function* reorder(dml: Dml, { table, organization, items }: OrganizationWrite<'reorder'>): WriteSteps {
  const sql = dml.of(table, organization);
  const positions = JSON.stringify(items);
  const [rows = []] = yield { statements: [sql.lockAll(positions, 'exclusive')], keepsTransactionOpen: true };
  const parents = new Map(rows.map(([id, ...parent]) => [id as string, parent as Value[]]));
  const missing = items.find(({ id }) => !parents.has(id));
  if (missing) return { outcome: 'not_found', id: missing.id };
  const first = parents.get(items[0]?.id ?? '') ?? [];
  const indices = items.flatMap(({ id }, i) => (first.every((value, j) => value === parents.get(id)?.[j]) ? [] : [i]));
  if (indices.length > 0) return { outcome: 'different_parent', indices };
  yield { statements: [sql.setPositions(positions)] };
  return {
    outcome: 'reordered',
    parent: Object.fromEntries(parentColumns(sql.table).map((name, i) => [name, first[i] ?? null])),
  };
}

function written(row: Row | undefined): WriteResult {
  if (!row) throw new Error('A write returned no record.');
  return { outcome: 'written', json: row[0] as string };
}

/** A change that expects date-times in the form in which an older row has them; undefined if it differs in none. */
function expectingOlderForms(sql: TableSql, write: Change, row: Row | undefined): Change | undefined {
  const times = Object.keys(write.expected).filter((name) => sql.column(name).format === 'date-time');
  if (!row || times.length === 0) return undefined;
  const record = JSON.parse(row[0] as string) as Record<string, Value>;
  const older = times.flatMap((name) => {
    const [stored, expected] = [String(record[name]), [write.expected[name]].flat()];
    return !expected.includes(stored) && expected.includes(toTimestamp(stored)) ? [[name, stored] as const] : [];
  });
  if (older.length === 0) return undefined;
  return { ...write, expected: { ...write.expected, ...Object.fromEntries(older) } };
}

/** The failure of a change, if the row that `compare` returned does not have the expected values, or would be too large. */
function mismatch({ id, set, expected }: Change, row: Row | undefined, state?: string): WriteResult | undefined {
  if (!row) return { outcome: 'not_found', id };
  const columns = Object.keys(expected).filter((_, i) => row[i + 3] === null);
  if (columns.length > 0) {
    if (state === undefined) return { outcome: 'unexpected', columns };
    const stored = JSON.parse(row[0] as string) as Record<string, Value>;
    return { outcome: 'wrong_state', state: stored[state] ?? null };
  }
  return row[2] === null && Object.keys(set).length > 0 ? { outcome: 'record_too_large' } : undefined;
}
