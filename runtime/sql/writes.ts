import { defaultListLimit } from '../model/limits.ts';
import type { FieldValue, Value } from '../model/fields.ts';
import { parentColumns } from './schema.ts';
import { mayBeLarge } from '../model/limits.ts';
import type { Dml, LockedRow, Statement, TableSql } from './table-sql.ts';
import { stepsOnce } from './answers.ts';
import { batchSteps, targetsOf, within } from './batch.ts';
import { changesOf, eventsOf, findEvent, laterTime, showsValue } from './events.ts';
import { derive, type Derived, selectTotals, StaleRecords, totalsIn } from './logic.ts';
import { lockParents, rejectItems, rejectRecord } from './record-locks.ts';
import { type NamedRecord, namedRecords, rejectMissing, remove } from './references.ts';
import { changesBy, type CountChange, lockExternalParent, RowCounts } from './row-counters.ts';
import type { Round, Row, Rows, Steps, WriteSteps } from './steps.ts';
import { shownAs, shownRecord, type ShownRecord, shownValues } from '../model/table.ts';
import {
  isDone,
  type OrganizationWrite,
  type SingleResult,
  type SingleWrite,
  type Write,
  type WriteOf,
  type WriteRejection,
  type WriteResult,
} from '../records/store.ts';
import { valuesOfTransition } from '../records/transition-values.ts';
import { maxAttempts, maxShortChanges } from '../records/limits.ts';
import { bytesOfNames, bytesOfValue, fitsRecord } from '../records/record-size.ts';

/** @param stale takes the records that may have to change with the write, if there can be any */
type Operation<Op extends Write['op']> = (dml: Dml, write: OrganizationWrite<Op>, stale?: StaleRecords) => WriteSteps;

/** The steps of each operation: the compiler requires a row for each. */
const operations: { readonly [Op in Write['op']]: Operation<Op> } = {
  insert,
  update,
  transition,
  delete: remove,
  reorder,
  batch,
};

export const stepsOf = (dml: Dml, write: OrganizationWrite): WriteSteps => {
  const steps = partSteps(dml, write);
  return write.origin.once ? stepsOnce(dml.dialect, write, steps) : steps;
};

function* partSteps(dml: Dml, write: OrganizationWrite): WriteSteps {
  // No id contains U+0000, which PostgreSQL refuses.
  if ('id' in write && write.id.includes('\0')) return { outcome: 'not_found', id: write.id };
  const operation = operations[write.op] as Operation<Write['op']>;
  if (!mayMakeStale(dml, write)) return yield* operation(dml, write);
  const stale = new StaleRecords();
  return yield* withStale(dml, write, operation(dml, write, stale), stale);
}

/** Whether other records may have to change with a write: parents of line items, and records whose references it sets to null. */
function mayMakeStale(dml: Dml, write: Write): boolean {
  const { op, table } = write;
  const addedUp = dml.addedUp(table);
  if (op === 'delete') return addedUp !== undefined || (dml.hasLogic && dml.referencesTo(table).length > 0);
  if (!addedUp || op === 'reorder' || op === 'batch') return false;
  return op !== 'update' || changesTotals(dml.of(table, 0), addedUp, Object.keys(write.set));
}

/** Whether totals of the parents of line items follow from one of these fields, or from one that is computed again. */
const changesTotals = ({ table }: TableSql, addedUp: ReadonlySet<string>, changed: readonly string[]): boolean =>
  [...changed, ...Object.keys(table.logic?.computed ?? {})].some(
    (name) => name === table.parent?.field || addedUp.has(name),
  );

/** The steps of a write and of the records that change with it, as one transaction. */
function* withStale(dml: Dml, write: OrganizationWrite, steps: WriteSteps, stale: StaleRecords): WriteSteps {
  const { organization, origin } = write;
  const counts = new RowCounts();
  const others: string[] = [];
  const [result] = yield* within(counts, [steps]);
  if (!result || !isDone(result)) return result as WriteResult;
  for (let record = stale.take(); record; record = stale.take()) {
    const { table, id, isChanged = false } = record;
    const refresh = {
      op: 'update',
      table,
      id,
      set: {},
      expected: {},
      time: origin.time,
      organization,
      origin,
    } as const;
    const refreshed = yield* within(counts, [change(dml, refresh, { stale, isChanged })]);
    const rejection = refreshed.find((one) => !isDone(one) && one.outcome !== 'not_found');
    if (rejection) return ofOther(rejection);
    others.push(id);
  }
  yield { statements: [], counts: counts.drain() };
  return { ...result, others } as SingleResult;
}

const isRestore = (write: Write): write is WriteOf<'insert'> => write.op === 'insert' && write.version !== undefined;

/** The steps of a batch. A record that it restores is checked at its end, when it has its line items again. */
function* batch(dml: Dml, write: OrganizationWrite<'batch'>): WriteSteps {
  if (!write.writes.some(isRestore)) return yield* batchSteps(dml, write, partSteps);
  const stale = new StaleRecords();
  const stepsOfPart = (_: Dml, part: OrganizationWrite): WriteSteps =>
    isRestore(part) ? insert(dml, part, stale) : partSteps(dml, part);
  const result = yield* withStale(dml, write, batchSteps(dml, write, stepsOfPart), stale);
  const isOfBatch = isDone(result) || result.outcome === 'refused' || result.outcome === 'outdated';
  return isOfBatch ? result : { outcome: 'refused', at: 0, reason: result as WriteRejection };
}

/** The rejection of another record than the body is of: its fields are not in there. */
const ofOther = (rejection: SingleResult): WriteResult =>
  rejection.outcome === 'rule_violated'
    ? { ...rejection, violations: rejection.violations.map(({ message }) => ({ message })) }
    : rejection;

const partsOf = (write: Write): readonly SingleWrite[] => (write.op === 'batch' ? write.writes : [write]);

/** The number of single writes that a write consists of. */
export const countOf = (write: Write): number => partsOf(write).length;

const mayChangeOthers = (dml: Dml, { op, table }: Write): boolean =>
  op === 'delete' && dml.itemsOf(table).length + dml.referencesTo(table).length > 0;

/** The ids of the records that writes have changed or deleted; undefined if they are unknown. @param results those of the writes */
export function changedBy(
  dml: Dml,
  writes: readonly Write[],
  results: readonly Changing[],
): readonly string[] | undefined {
  const parts = writes.flatMap(partsOf);
  if (parts.some((part) => mayChangeOthers(dml, part))) return undefined;
  return [...parts.flatMap(targetsOf), ...results.flatMap(othersOf)];
}

/** The result of a write, which may have changed other records than it names. */
interface Changing {
  readonly outcome: string;
  readonly others?: readonly string[];
  readonly results?: readonly Changing[];
}

const othersOf = ({ others = [], results = [] }: Changing): readonly string[] => [
  ...others,
  ...results.flatMap(othersOf),
];

/** Whether several statements of a write change rows, so that a failure must undo those before it. */
export const isCompound = (dml: Dml, write: OrganizationWrite): boolean =>
  write.origin.once !== undefined || write.op === 'batch' || mayChangeOthers(dml, write) || mayMakeStale(dml, write);

/** Whether a write may take so long that other requests should not wait for it. */
export const isLong = (dml: Dml, write: OrganizationWrite): boolean =>
  partsOf(write).filter(({ op }) => op === 'update' || op === 'transition').length > maxShortChanges ||
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

function* insert(
  dml: Dml,
  { table, organization, values, version, later, origin }: OrganizationWrite<'insert'>,
  stale?: StaleRecords,
): WriteSteps {
  const sql = dml.of(table, organization);
  const { parent } = sql.table;
  const parentId = parent ? (values[sql.position(parent.field)] as Value) : '';
  const id = values[sql.position('id')] as string;
  const rejection = yield* rejectRestored(sql, id, version);
  if (rejection) return rejection;
  // Its totals are those that it had.
  const isIncomplete = stale !== undefined && version !== undefined && hasTotals(sql);
  const complete = yield* placeRecord(dml, sql, values, isIncomplete ? undefined : origin.time);
  if ('outcome' in complete) return complete;
  const record = sql.skipsClashes && { id, set: sql.byName(complete), version };
  const effects = {
    counts: changesBy(sql, parentId, 1),
    events: eventsOf(sql, 'create', id, version, () => changesOf(undefined, shownRecord(sql.table, complete))),
  };
  const row = yield* storeRow(sql, sql.insert(complete, version), effects, record, later);
  if ('outcome' in row) return row;
  if (dml.addedUp(table)) stale?.addParents(sql, [parentId]);
  if (isIncomplete) stale.add({ table, id, isChanged: true });
  return { outcome: 'written', json: sql.dialect.insertedJson(sql.table, complete, row), version: version ?? 1 };
}

const hasTotals = ({ table: { logic } }: TableSql): boolean => Object.keys(logic?.totals ?? {}).length > 0;

/** Rejects a record with a version, which an undo restores, if it is there, or was since. */
function* rejectRestored(sql: TableSql, id: string, version: number | undefined): Steps<WriteRejection | undefined> {
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
function* storeRow(
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

/**
 * Locks the records that a new one names until it is visible, gives a line item an `idx`, and computes fields.
 *
 * @param time that of the write; without it, computed fields keep their values, and no rule is checked
 */
function* placeRecord(
  dml: Dml,
  sql: TableSql,
  values: readonly Value[],
  time?: string,
): Steps<readonly Value[] | WriteRejection> {
  const valueOf = (column: string): Value => values[sql.position(column)] as Value;
  const { parent } = sql.table;
  const isAppended = parent !== undefined && valueOf('idx') === null;
  const named = namedRecords(dml, sql, valueOf, isAppended);
  // The next insert under this parent waits for the lock, and then sees this item.
  const external =
    isAppended && parent.table === undefined ? lockExternalParent(sql, valueOf(parent.field)) : undefined;
  const locks = [...named.map(({ lock }) => lock), ...(external ? [external] : [])];
  const statements = [...locks, ...(isAppended ? [sql.lastIndex(values)] : [])];
  const complete = time === undefined ? values : completed(dml, sql, values, time);
  if (statements.length === 0) return complete;
  const results = yield { statements, keepsTransactionOpen: true };
  const locked = rejectItems(dml, sql, parentsOf(sql, named, results));
  if (locked) return locked;
  if ('outcome' in complete) return complete;
  const missing = rejectMissing(sql, named, results);
  if (missing) return missing;
  if (!isAppended) return complete;
  const last = Number(results.at(-1)?.[0]?.[0]);
  return last < Number.MAX_SAFE_INTEGER ? complete.with(sql.position('idx'), last + 1) : { outcome: 'idx_exhausted' };
}

/** The values of a new record with its computed fields. */
function completed(dml: Dml, sql: TableSql, values: readonly Value[], time: string): readonly Value[] | WriteRejection {
  const { table } = sql;
  if (!table.logic) return values;
  const { computed, rejection } = derive(table.logic, shownRecord(table, values), totalsIn(dml, sql, []), time);
  if (rejection) return rejection;
  // A record of rules alone stays as it was prepared.
  if (Object.keys(computed).length === 0) return values;
  const all = { ...sql.byName(values), ...computed };
  const complete = table.columns.map(({ name }) => all[name] as Value);
  return fitsRecord(table, complete) ? complete : { outcome: 'record_too_large' };
}

/** The rows of the locks on a parent that a write names. */
const parentsOf = ({ table }: TableSql, named: readonly NamedRecord[], results: Rows): Rows =>
  named[0]?.column === table.parent?.field ? results.slice(0, 1) : [];

/** A record that is to have values, which may be those of another one. */
type UniqueValues = Pick<WriteOf<'update'>, 'id' | 'set'>;

function update(dml: Dml, write: OrganizationWrite<'update'>, stale?: StaleRecords): WriteSteps {
  return change(dml, write, { stale });
}

function transition(dml: Dml, write: OrganizationWrite<'transition'>, stale?: StaleRecords): WriteSteps {
  const { name, field, from, to: _, requires, set: __, ...others } = write;
  const set = valuesOfTransition(write, write.origin.actor);
  const changed = { ...others, op: 'update', set, expected: { [field]: from } } as const;
  return change(dml, changed, { operation: name, state: field, requires, stale });
}

interface Change {
  /** As events name it; a transition may have rules of its own. */
  readonly operation?: string;
  /** The field whose former value a failure of a transition names. */
  readonly state?: string;
  /** The fields that must not be null afterwards. */
  readonly requires?: readonly string[] | undefined;
  /** The record has changed already in this transaction: its rules are checked even if no computed field changes. */
  readonly isChanged?: boolean;
  /** Takes the parents whose totals may change. */
  readonly stale?: StaleRecords | undefined;
}

function* change(
  dml: Dml,
  write: OrganizationWrite<'update'>,
  { operation = 'update', state, requires = [], isChanged = false, stale }: Change,
): WriteSteps {
  const { table, organization, id, set: given, expected, time } = write;
  const sql = dml.of(table, organization);
  const named = namedRecords(dml, sql, (column) => given[column]);
  const { parent, lock, logic, columns } = sql.table;
  const others = [parent?.field ?? '', lock?.field ?? '', 'updated_at', ...requires];
  const shown = logic
    ? columns.map(({ name }) => name)
    : ['id', ...others, ...Object.keys(given), ...Object.keys(expected)];
  const replaced = [...Object.keys(given), ...Object.keys(logic?.computed ?? {})];
  const parents = lockParents(dml, sql, [id], stale !== undefined, given[parent?.field ?? '']);
  // Lock order: the parent before the item.
  const before = [...parents, ...named.map((one) => one.lock)];
  const behind = [...parents, ...selectTotals(dml, sql, id)];
  // The bytes of computed fields are not known yet.
  const left = logic ? 0 : bytesLeft(sql, given);
  const statements = [...before, sql.forUpdate(id, shown, replaced, left), ...behind];
  const results = yield { statements, keepsTransactionOpen: true };
  const locked = results.slice(parents.length, before.length);
  const [[row] = [], ...rest] = results.slice(before.length);
  if (!row) return { outcome: 'not_found', id };
  const stored = sql.lockedRow(row, shown);
  const { record } = stored;
  const totals = rest.slice(parents.length);
  const { computed, rejection: broken } = deriveChanged(dml, write, record, totals, operation);
  const set = { ...given, ...computed };
  const isDifferent = (name: string): boolean =>
    !showsValue(sql.column(name), record[name] as FieldValue, set[name] as Value);
  const changing = Object.keys(set).filter(isDifferent);
  const isFree = (name: string): boolean => Object.hasOwn(computed, name) || (lock?.except?.includes(name) ?? false);
  const isOpen = state !== undefined || changing.every(isFree);
  const isSame = changing.length === 0 && !isChanged;
  const owners = [...parentsOf(sql, named, locked), ...rest.slice(0, parents.length)];
  const rejection =
    mismatch(sql, { ...write, set }, stored, state) ??
    rejectNull(requires, { ...record, ...set }) ??
    (isOpen ? undefined : (rejectRecord(sql, id, record) ?? rejectItems(dml, sql, owners))) ??
    (isSame ? undefined : broken) ??
    rejectMissing(sql, named, locked);
  if (rejection) return rejection;
  if (changing.length === 0) {
    const [[same] = []] = yield { statements: [sql.get(id)] };
    return written(sql, same, stored.version);
  }
  const version = stored.version + 1;
  const isTimed = sql.position('updated_at') !== -1;
  const changed = { ...set, ...(isTimed && { updated_at: laterTime(record.updated_at, time) }) };
  const effects = {
    counts: movesBy(sql, set, record[sql.table.parent?.field ?? ''] as string | null),
    events: eventsOf(sql, operation, id, version, () => {
      const after = Object.entries(changed).map(([name, value]) => [name, shownAs(sql.column(name), value)]);
      return changesOf(record, Object.fromEntries(after) as ShownRecord);
    }),
  };
  const result = yield* storeRow(sql, sql.update(id, changed), effects, sql.table.unique !== undefined && { id, set });
  if ('outcome' in result) return result;
  const isAddedUp = (name: string): boolean => name === parent?.field || (dml.addedUp(table)?.has(name) ?? false);
  if (changing.some(isAddedUp))
    stale?.addParents(
      sql,
      [parent?.field ?? ''].flatMap((name) => [record[name], set[name]]),
    );
  return written(sql, result, version);
}

/** The computed fields of a record that is to change, and the rules that it would break. @param totals the rows of `selectTotals` */
function deriveChanged(
  dml: Dml,
  { table, organization, set, origin }: OrganizationWrite<'update'>,
  record: ShownRecord,
  totals: Rows,
  operation: string,
): Derived {
  const sql = dml.of(table, organization);
  if (!sql.table.logic) return { computed: {} };
  const wanted = { ...record, ...shownValues(sql.table, set) };
  return derive(sql.table.logic, wanted, totalsIn(dml, sql, totals), origin.time, operation);
}

function rejectNull(requires: readonly string[], record: ShownRecord): WriteRejection | undefined {
  const columns = requires.filter((name) => record[name] === null);
  return columns.length > 0 ? { outcome: 'null_in_required', columns } : undefined;
}

/** The changes of row counters by an update of an item with this parent: in one order, so that two moves cannot deadlock. */
function movesBy(sql: TableSql, set: UniqueValues['set'], former: string | null): CountChange[] {
  const parent = set[sql.table.parent?.field ?? ''];
  if (parent === undefined || parent === former) return [];
  const counts = [...changesBy(sql, former, -1), ...changesBy(sql, parent, 1)];
  return counts.toSorted((a, b) => (a.parent < b.parent ? -1 : 1));
}

function* reorder(dml: Dml, { table, organization, items }: OrganizationWrite<'reorder'>): WriteSteps {
  const sql = dml.of(table, organization);
  const ids = items.map(({ id }) => id);
  const parents = lockParents(dml, sql, ids, false);
  const statements = [...parents, sql.lockAll(JSON.stringify(items), 'exclusive'), ...parents];
  const results = yield { statements, keepsTransactionOpen: true };
  const [rows = [], ...owners] = results.slice(parents.length);
  const stored = new Map(
    rows.map(([id, version, idx, ...parent]) => [id as string, { version: Number(version), idx: Number(idx), parent }]),
  );
  const missing = items.find(({ id }) => !stored.has(id));
  if (missing) return { outcome: 'not_found', id: missing.id };
  const first = stored.get(items[0]?.id ?? '')?.parent ?? [];
  const isElsewhere = (id: string): boolean => first.some((value, j) => value !== stored.get(id)?.parent[j]);
  const indices = items.flatMap(({ id }, i) => (isElsewhere(id) ? [i] : []));
  if (indices.length > 0) return { outcome: 'different_parent', indices };
  const moved = items.filter(({ id, idx }) => stored.get(id)?.idx !== idx);
  const events = moved.flatMap(({ id, idx }) => {
    const { version = 0, idx: former = null } = stored.get(id) ?? {};
    return eventsOf(sql, 'reorder', id, version + 1, () => changesOf({ idx: former }, { idx }));
  });
  const rejection = moved.length > 0 && rejectItems(dml, sql, owners);
  if (rejection) return rejection;
  yield { statements: moved.length > 0 ? [sql.setPositions(JSON.stringify(moved))] : [], events };
  return {
    outcome: 'reordered',
    parent: Object.fromEntries(parentColumns(sql.table).map((name, i) => [name, (first[i] ?? null) as Value])),
  };
}

function written({ dialect, table }: TableSql, row: Row | undefined, version: number): WriteResult {
  if (!row) throw new Error('A write returned no record.');
  return { outcome: 'written', json: dialect.returnedJson(table, row), version };
}

/** The rejection of a change, if the record does not have the version or the values that it expects, or would be too large. */
function mismatch(
  sql: TableSql,
  { set, expected, versions }: Pick<WriteOf<'update'>, 'set' | 'expected' | 'versions'>,
  { record, version, bytes }: LockedRow,
  state?: string,
): WriteRejection | undefined {
  if (versions && !versions.includes(version)) return { outcome: 'stale', version };
  const columns = Object.entries(expected).flatMap(([name, values]) =>
    [values].flat().some((value) => showsValue(sql.column(name), record[name] as FieldValue, value)) ? [] : [name],
  );
  if (columns.length > 0) {
    if (state === undefined) return { outcome: 'unexpected', columns };
    return { outcome: 'wrong_state', state: (record[state] ?? null) as Value };
  }
  return bytes > bytesLeft(sql, set) && Object.keys(set).length > 0 ? { outcome: 'record_too_large' } : undefined;
}

/** The bytes that a record may have beside new values. */
const bytesLeft = (sql: TableSql, set: UniqueValues['set']): number =>
  Object.entries(set).reduce(
    (left, [name, value]) => left - bytesOfValue(sql.column(name), value),
    sql.table.maxBody - bytesOfNames(sql.table),
  );
