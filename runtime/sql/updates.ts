import type { FieldValue, Value } from '../model/fields.ts';
import { mayBeLarge } from '../model/limits.ts';
import { shownAs, type ShownRecord, shownValues, showsValue } from '../model/table.ts';
import type { Totals } from '../rules/logic.ts';
import { fitsChanged } from '../records/record-size.ts';
import { type OrganizationWrite, valuesOfTransition, type WriteOf, type WriteRejection } from '../records/write.ts';
import type { Dml } from './dml.ts';
import { changesOf, eventsOf, laterTime } from './events.ts';
import { derive, type Derived, rejectBroken } from './logic.ts';
import { lockParents, parentsOf, rejectItems, rejectRecord } from './record-locks.ts';
import { namedRecords, rejectMissing } from './references.ts';
import { changesBy } from './row-counters.ts';
import type { CountChange, WriteSteps } from './types.ts';
import type { StaleRecords } from './stale-records.ts';
import type { LockedRow, TableSql } from './table-sql.ts';
import { changedTotals, mayChangeTotals } from './totals.ts';
import { findClash } from './clashes.ts';

/** Changes fields of a record. @param stale takes the parents whose totals may change */
export function update(dml: Dml, write: OrganizationWrite<'update'>, stale?: StaleRecords): WriteSteps {
  return change(dml, write, { stale, operation: write.operation });
}

/** Moves a state field of a record, and sets what the transition sets. @param stale as of `update` */
export function transition(dml: Dml, write: OrganizationWrite<'transition'>, stale?: StaleRecords): WriteSteps {
  const { name, field, from, to: _, requires, set: __, ...others } = write;
  const set = valuesOfTransition(write, write.origin.actor);
  const changed = { ...others, op: 'update', set, expected: { [field]: from } } as const;
  return change(dml, changed, { operation: name, state: field, requires, stale });
}

interface Change {
  /** As events name it; a transition may have rules of its own. */
  readonly operation?: string | undefined;
  /** The field whose former value a failure of a transition names. */
  readonly state?: string;
  /** The fields that must not be null afterwards. */
  readonly requires?: readonly string[] | undefined;
  /** Takes the parents whose totals may change. If the record itself is among them, it becomes as it has to be. */
  readonly stale?: StaleRecords | undefined;
}

/** Locks a record, checks what it would be, and stores that with its event. A change of nothing stores nothing. */
export function* change(dml: Dml, write: OrganizationWrite<'update'>, options: Change): WriteSteps {
  const { operation = 'update', state, requires = [], stale } = options;
  const { table, organization, id, set: given, time } = write;
  const sql = dml.of(table, organization);
  const named = namedRecords(dml, sql, (column) => given[column]);
  const { parent, lock } = sql.table;
  const { items, isChanged } = stale?.take(table, id) ?? { items: [], isChanged: false };
  const changesParents = stale !== undefined && mayChangeTotals(dml, sql, Object.keys(given));
  const parents = lockParents(dml, sql, [id], changesParents, given[parent?.field ?? '']);
  // Lock order: the parent before the item.
  const before = [...parents, ...named.map((one) => one.lock)];
  const names = namesToRead(sql, write, requires, dml.addedUp(table));
  const behind = [...parents, ...(names ? [sql.bytes(id)] : [])];
  const statements = [...before, sql.forUpdate(id, names), ...behind];
  const results = yield { statements, keepsTransactionOpen: true };
  const locked = results.slice(parents.length, before.length);
  const [[row] = [], ...rest] = results.slice(before.length);
  if (!row) return { outcome: 'not_found', id };
  const stored = sql.lockedRow(row, names);
  const bytes = names ? Number(rest.at(-1)?.[0]?.[0]) : stored.bytes;
  const { record } = stored;
  const totals = yield* changedTotals(dml, sql, record, items);
  const derived = deriveChanged(dml, write, record, totals, operation);
  const { computed } = derived;
  const set = { ...given, ...computed };
  const isDifferent = (name: string): boolean =>
    !showsValue(sql.column(name), record[name] as FieldValue, set[name] as Value);
  const changing = Object.keys(set).filter(isDifferent);
  const isFree = (name: string): boolean => Object.hasOwn(computed, name) || (lock?.except?.includes(name) ?? false);
  const isOpen = state !== undefined || write.isTakenBack || changing.every(isFree);
  const isSame = changing.length === 0 && !isChanged;
  const owners = [...parentsOf(sql, named, locked), ...rest.slice(0, parents.length)];
  const rejection =
    mismatch(sql, write, stored, state) ??
    (changing.length === 0 || fitsChanged(sql.table, bytes, record, set)
      ? undefined
      : { outcome: 'record_too_large' }) ??
    rejectNull(requires, { ...record, ...set }) ??
    (isOpen ? undefined : (rejectRecord(sql, id, record) ?? rejectItems(dml, sql, owners))) ??
    (isSame ? undefined : rejectBroken(derived, table, id, stale)) ??
    rejectMissing(sql, named, locked);
  if (rejection) return rejection;
  if (changing.length === 0) {
    const [[whole = row] = []] = names ? yield { statements: [sql.get(id)] } : [];
    return { outcome: 'written', json: sql.dialect.returnedJson(sql.table, whole), version: stored.version };
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
  const clash = yield* findClash(sql, id, set);
  if (clash) return clash;
  const [[updated] = []] = yield { statements: [sql.update(id, changed)], ...effects };
  if (!updated) throw new Error('An update returned no record.');
  const isAddedUp = (name: string): boolean => name === parent?.field || (dml.addedUp(table)?.has(name) ?? false);
  if (changesParents && changing.some(isAddedUp))
    stale.addParents(sql, record, { ...record, ...shownValues(sql.table, set) });
  return { outcome: 'written', json: sql.dialect.returnedJson(sql.table, updated), version };
}

/** The columns of a large record that an update reads; all of it (undefined) if its rules may need them. */
function namesToRead(
  { table }: TableSql,
  { set, expected }: OrganizationWrite<'update'>,
  requires: readonly string[],
  addedUp: Iterable<string> = [],
): readonly string[] | undefined {
  if (!mayBeLarge(table) || table.logic) return undefined;
  const { parent, lock } = table;
  const own = ['id', 'idx', 'updated_at', parent?.field ?? '', lock?.field ?? ''];
  return [...own, ...requires, ...addedUp, ...Object.keys(set), ...Object.keys(expected)];
}

/** The computed fields of a record that is to change, and the rules that it would break. */
function deriveChanged(
  dml: Dml,
  { table, organization, set, origin }: OrganizationWrite<'update'>,
  record: ShownRecord,
  totals: Totals,
  operation: string,
): Derived {
  const sql = dml.of(table, organization);
  if (!sql.table.logic) return { computed: {} };
  const wanted = { ...record, ...shownValues(sql.table, set) };
  return derive(sql.table.logic, wanted, totals, origin.time, operation);
}

function rejectNull(requires: readonly string[], record: ShownRecord): WriteRejection | undefined {
  const columns = requires.filter((name) => record[name] === null);
  return columns.length > 0 ? { outcome: 'null_in_required', columns } : undefined;
}

/** The changes of row counters by an update of an item with this parent: in one order, so that two moves cannot deadlock. */
function movesBy(sql: TableSql, set: WriteOf<'update'>['set'], former: string | null): CountChange[] {
  const parent = set[sql.table.parent?.field ?? ''];
  if (parent === undefined || parent === former) return [];
  const counts = [...changesBy(sql, former, -1), ...changesBy(sql, parent, 1)];
  return counts.toSorted((a, b) => (a.parent < b.parent ? -1 : 1));
}

/** The rejection of a change, if the record does not have the version or the values that it expects. */
function mismatch(
  sql: TableSql,
  { expected, versions }: WriteOf<'update'>,
  { record, version }: LockedRow,
  state?: string,
): WriteRejection | undefined {
  if (versions && !versions.includes(version)) return { outcome: 'stale', version };
  const columns = Object.entries(expected).flatMap(([name, values]) =>
    [values].flat().some((value) => showsValue(sql.column(name), record[name] as FieldValue, value)) ? [] : [name],
  );
  if (columns.length === 0) return undefined;
  if (state === undefined) return { outcome: 'unexpected', columns };
  return { outcome: 'wrong_state', state: (record[state] ?? null) as Value };
}
