import type { FieldValue, Value } from '../model/fields.ts';
import { mayBeLarge } from '../model/limits.ts';
import { shownAs, type ShownRecord, shownRecord, showsValue, type Table } from '../model/table.ts';
import { maxAttempts } from '../records/limits.ts';
import {
  type OrganizationWrite,
  type Origin,
  valuesOfTransition,
  type WriteRejection,
  type WriteResult,
} from '../records/write.ts';
import type { Dml } from './dml.ts';
import { printJson } from '../values/json-text.ts';
import { changesBy, counterOwner, unlistedCounter, type RowCounts } from './row-counters.ts';
import type { StaleRecord, StaleRecords } from './stale-records.ts';
import { within } from './steps.ts';
import type { LockedRow, TableSql } from './table-sql.ts';
import type { Change, Changes, CountChange, NewEvent, Round, Row, Statement, Steps, WriteSteps } from './types.ts';
import type { ChangeRequest, ColumnValues, Derived, LockedChange, PartRows, WritePart } from './write-part.ts';

/** Stores a new record, or one that an undo restores. @param stale takes the parents whose totals may change */
export function* insert(dml: Dml, write: OrganizationWrite<'insert'>, stale?: StaleRecords): WriteSteps {
  const { table, organization, values: given, version = 1 } = write;
  const sql = dml.of(table, organization);
  const id = given[sql.position('id')] as string;
  const parts = dml.partsFor(write.version === undefined ? 'create' : 'restore', sql.table);
  const request = { dml, parts, sql, write, id, given: sql.byName(given), operation: 'create', stale };
  const locked = yield* lockChange(request);
  if ('outcome' in locked) return locked;
  const { derived, set } = locked;
  const isPrepared = Object.keys(derived).length === 0;
  const values = isPrepared ? given : sql.table.columns.map(({ name }) => set[name] as Value);
  for (const part of parts) part.storing?.(locked, locked.rowsOf(part));
  const row = yield* storeRow(locked, sql.insert(values, version, set), {
    counts: [...changesBy(sql, counterOwner(sql, set), 1), ...countsOfListed(sql, null, set)],
    events: eventsOf(sql, 'create', id, version, () => changesOf(undefined, shownRecord(sql.table, values))),
  });
  if ('outcome' in row) return row;
  return { outcome: 'written', json: sql.dialect.insertedJson(sql.table, values, row), version };
}

/**
 * Stores a new row with what follows from it. If its statement may store none, as the row clashes with another one, that is a
 * round of its own: only a row that is stored is counted.
 */
function* storeRow(
  change: LockedChange,
  statement: Statement,
  effects: Pick<Round, 'counts' | 'events'>,
): Steps<Row | WriteRejection> {
  if (!change.sql.skipsClashes) {
    const [rows] = yield { statements: [statement], ...effects };
    return rows?.[0] ?? [];
  }
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const [rows] = yield { statements: [statement], keepsTransactionOpen: true };
    if (rows?.[0]) {
      yield { statements: [], ...effects };
      return rows[0];
    }
    const rejection = yield* findRejection(change);
    if (rejection) return rejection;
  }
  throw new Error(`The record ${change.id} cannot be stored, for no visible reason.`);
}

/** Does a transition: moves the state of a record, or keeps it, and sets fields. @param stale as of `update` */
export function transition(dml: Dml, write: OrganizationWrite<'transition'>, stale?: StaleRecords): WriteSteps {
  const { name, field, from, to: _, requires, set: __, ...others } = write;
  const set = valuesOfTransition(write, write.origin.actor);
  const changed = {
    ...others,
    op: 'update',
    operation: name,
    set,
    expected: { [field]: from, ...write.expected },
  } as const;
  return update(dml, changed, stale, { state: field, requires });
}

/**
 * Changes fields of a record: locks it, checks it as it would be, and stores that with its event. A change of nothing stores
 * nothing, unless it is a transition.
 *
 * @param stale takes the parents whose totals may change
 */
export function* update(
  dml: Dml,
  write: OrganizationWrite<'update'>,
  stale?: StaleRecords,
  move: Pick<ChangeRequest, 'state' | 'requires' | 'isNamed'> = {},
): WriteSteps {
  const { table, organization, id, set: given, time, operation = 'update' } = write;
  const sql = dml.of(table, organization);
  const names = namesToRead(dml, sql, write, move.requires);
  // If the record is stale itself, it becomes as it has to be.
  const { items, isChanged: isStale, row: known } = stale?.take(table, id) ?? { items: [] };
  const isTransition = move.state !== undefined;
  const isChanged = isStale || isTransition;
  const parts = dml.partsFor(isTransition ? 'transition' : 'update', sql.table);
  const request = { dml, parts, sql, write, id, given, operation, ...move, stale, items, isChanged, names, row: known };
  const locked = yield* lockChange(request, sql.forUpdate(id, names));
  if ('outcome' in locked) return locked;
  const { row, set, changing } = locked;
  const { record, version } = locked.stored as LockedRow;
  if (changing.length === 0 && !isTransition) {
    const [[whole = row ?? []] = []] = names ? yield { statements: [sql.get(id)] } : [];
    return { outcome: 'written', json: sql.dialect.returnedJson(sql.table, whole), version };
  }
  const isTimed = sql.position('updated_at') !== -1;
  const columns = { ...set, ...(isTimed && { updated_at: laterTime(record['updated_at'], time) }) };
  const rejection = yield* findRejection(locked);
  if (rejection) return rejection;
  for (const part of parts) part.storing?.(locked, locked.rowsOf(part));
  const [[updated] = []] = yield {
    statements: [sql.update(id, columns)],
    counts: [...countsOfMove(locked), ...countsOfListed(sql, record[sql.table.unlistedBy ?? ''], columns)],
    events: eventsOf(sql, operation, id, version + 1, () => changesOf(record, shownColumns(sql, columns))),
  };
  if (!updated) throw new Error('An update returned no record.');
  return { outcome: 'written', json: sql.dialect.returnedJson(sql.table, updated), version: version + 1 };
}

/** The changes of the counter of records that lists leave out. @param former the value that decides it, before the write */
function countsOfListed(sql: TableSql, former: unknown, set: ColumnValues): CountChange[] {
  const next = set[sql.table.unlistedBy ?? ''];
  if (next === undefined || (next === null) === (former === null)) return [];
  return changesBy(sql, unlistedCounter, next === null ? -1 : 1);
}

/** The row counters of the parents that a line item leaves and comes to: in one order, so that two moves cannot deadlock. */
function countsOfMove({ sql, set, stored }: LockedChange): CountChange[] {
  const next = set[sql.parentField];
  const former = (stored?.record[sql.parentField] ?? null) as Value;
  if (next === undefined || next === former) return [];
  const counts = [...changesBy(sql, former, -1), ...changesBy(sql, next, 1)];
  return counts.toSorted((a, b) => (a.parent < b.parent ? -1 : 1));
}

/** The columns of a large record that an update reads; all of it (undefined) if its rules may need them. */
function namesToRead(
  dml: Dml,
  sql: TableSql,
  { set, expected }: OrganizationWrite<'update'>,
  requires: readonly string[] = [],
): readonly string[] | undefined {
  const { table } = sql;
  if (!mayBeLarge(table) || table.logic) return undefined;
  const own = ['id', 'idx', 'updated_at', sql.parentField, ...sql.lockFields, ...dml.setByChanges(table)];
  const addedUp = dml.totalOwners(table.name).flatMap(({ reads }) => [...reads]);
  return [...own, ...requires, ...addedUp, ...Object.keys(set), ...Object.keys(expected)];
}

/** The write that has made records stale. */
interface Cause {
  readonly organization: number;
  readonly origin: Origin;
}

/**
 * Changes a record as others have changed: it gets the computed fields that follow from them.
 *
 * @param stale takes the records that follow from it
 */
export function refreshing(
  dml: Dml,
  { organization, origin }: Cause,
  record: StaleRecord,
  stale: StaleRecords,
): WriteSteps {
  const { table, id, isNamed = false } = record;
  stale.add(record);
  const write = { op: 'update', table, id, set: {}, expected: {}, time: origin.time, organization, origin } as const;
  return update(dml, write, stale, { isNamed });
}

/**
 * Does so in the transaction of a batch.
 *
 * @returns the record as it is then, or why that is refused; undefined if it is gone
 */
export function* refresh(
  dml: Dml,
  cause: Cause,
  record: StaleRecord,
  stale: StaleRecords,
  counts: RowCounts,
): Steps<WriteResult | undefined> {
  const [result] = (yield* within(counts, [refreshing(dml, cause, record, stale)])) as [WriteResult];
  return result.outcome === 'not_found' ? undefined : result;
}

/** A part of a list, as `slice` takes it. */
type Range = readonly [start: number, end: number];

/**
 * Does what all writes of one record begin with: takes the locks of all parts, reads the row, derives columns, and rejects the
 * write if a part does.
 *
 * @param row locks the row; undefined if the record is new
 */
export function* lockChange(request: ChangeRequest, row?: Statement): Steps<LockedChange | WriteRejection> {
  const { parts, sql, id, given, names, write } = request;
  // No id contains U+0000, which PostgreSQL refuses.
  if (row && id.includes('\0')) return { outcome: 'not_found', id };
  const statements: Statement[] = [];
  const add = (some: readonly Statement[] = []): Range => [statements.length, statements.push(...some)];
  const before = parts.map((part) => add(part.before?.(request)));
  const [at] = add(request.row ? [] : row && [row]);
  const behind = parts.map((part, i) =>
    add(row && part.repeatsBefore ? statements.slice(...(before[i] as Range)) : part.behind?.(request)),
  );
  const results = statements.length > 0 ? yield { statements, keepsTransactionOpen: true } : [];
  const found = request.row ?? (row && results[at]?.[0]);
  if (row && !found) return { outcome: 'not_found', id };
  const derivedBy: (Derived | undefined)[] = [];
  const rowsAt = (i: number): PartRows => ({
    before: results.slice(...(before[i] ?? [0, 0])),
    behind: results.slice(...(behind[i] ?? [0, 0])),
    derived: derivedBy[i],
  });
  const stored = found && sql.lockedRow(found, names);
  const derived: Record<string, Value> = {};
  let set = given;
  for (const [i, { derive }] of parts.entries()) {
    if (!derive || write.op === 'delete') continue;
    // Parts see what those before them derive.
    derivedBy[i] = yield* derive(set === given ? request : { ...request, given: set }, stored, rowsAt(i));
    Object.assign(derived, derivedBy[i].computed);
    if (Object.keys(derived).length > 0) set = Object.assign({}, given, derived);
  }
  const isDifferent = (name: string): boolean =>
    !showsValue(sql.column(name), stored?.record[name] as FieldValue, set[name] as Value);
  const changing = stored ? Object.keys(set).filter(isDifferent) : [];
  const rowsOf = (part: WritePart): PartRows => rowsAt(parts.indexOf(part));
  const locked = { ...request, row: found, stored, derived, set, changing, rowsOf };
  for (const [i, part] of parts.entries()) {
    const rejection = part.reject?.(locked, rowsAt(i));
    if (rejection) return rejection;
  }
  return locked;
}

/** Looks for a reason to reject a write, by statements of its parts. */
export function* findRejection(change: LockedChange): Steps<WriteRejection | undefined> {
  for (const part of change.parts) {
    const rejection = part.search && (yield* part.search(change));
    if (rejection) return rejection;
  }
  return undefined;
}

/** The time of the last change of a record after one more: that of the change, unless the record has a later one. */
export const laterTime = (last: unknown, time: string): string =>
  typeof last === 'string' && last > time ? last : time;

/** Whether the writes of a table are noted. */
export const hasEvents = ({ events: kept = true }: Table): boolean => kept;

/** The changes from one state of a record to another: of the values that are not null, if there is only one. */
export function changesOf(before: ShownRecord | undefined, after: ShownRecord | undefined): Changes {
  const changes: Record<string, Change> = {};
  for (const name in after ?? before) {
    const change: Change = [before?.[name] ?? null, after?.[name] ?? null];
    if (!isEqual(change)) changes[name] = change;
  }
  return changes;
}

const isEqual = ([before, after]: Change): boolean =>
  before === after || (typeof before === 'object' && printJson(before) === printJson(after));

/** Columns of a row that are stored, as its record shows them. */
export const shownColumns = (sql: TableSql, columns: ColumnValues): ShownRecord =>
  Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, shownAs(sql.column(name), value)]));

/**
 * The event of a write of one record; none if the table keeps none.
 *
 * @param version that of the record after the write
 */
export const eventsOf = (
  { table }: TableSql,
  operation: string,
  record: string,
  version: number,
  changes: NewEvent['changes'],
): NewEvent[] => (hasEvents(table) ? [{ operation, resource: table.path, record, version, changes }] : []);
