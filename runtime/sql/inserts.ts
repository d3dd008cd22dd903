import type { Value } from '../model/fields.ts';
import { shownRecord } from '../model/table.ts';
import { maxAttempts } from '../records/limits.ts';
import { fitsRecord } from '../records/record-size.ts';
import type { OrganizationWrite, WriteRejection } from '../records/write.ts';
import { conditionsOfParent } from './conditions.ts';
import type { Dml } from './dml.ts';
import { changesOf, eventsOf, findEvent } from './events.ts';
import { derive, rejectBroken } from './logic.ts';
import type { Round, Row, Statement, Steps, WriteSteps } from './types.ts';
import { rejectItems, parentsOf } from './record-locks.ts';
import { namedRecords, rejectMissing } from './references.ts';
import { changesBy, lockExternalParent } from './row-counters.ts';
import { parentColumns } from './schema.ts';
import type { StaleRecords } from './stale-records.ts';
import type { TableSql } from './table-sql.ts';
import { totalsIn } from './totals.ts';
import { findClash } from './clashes.ts';

/** Stores a new record, or one that an undo restores. @param stale takes the parents whose totals may change */
export function* insert(
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
  const complete = yield* placeRecord(dml, sql, values, stale, isIncomplete ? undefined : origin.time);
  if ('outcome' in complete) return complete;
  const effects = {
    counts: changesBy(sql, parentId, 1),
    events: eventsOf(sql, 'create', id, version, () => changesOf(undefined, shownRecord(sql.table, complete))),
  };
  const row = yield* storeRow(sql, complete, version, effects, later);
  if ('outcome' in row) return row;
  if (dml.addedUp(table)) stale?.addParents(sql, undefined, shownRecord(sql.table, complete));
  if (isIncomplete) stale.add({ table, id, isChanged: true, items: undefined });
  return { outcome: 'written', json: sql.dialect.insertedJson(sql.table, complete, row), version: version ?? 1 };
}

const hasTotals = ({ table: { logic } }: TableSql): boolean => Object.keys(logic?.totals ?? {}).length > 0;

/**
 * Locks the records that a new one names until it is visible, gives a line item an `idx`, and computes fields.
 *
 * @param stale takes the record if rules wait for the end of the batch
 * @param time that of the write; without it, computed fields keep their values, and no rule is checked
 */
function* placeRecord(
  dml: Dml,
  sql: TableSql,
  values: readonly Value[],
  stale?: StaleRecords,
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
  const statements = [...locks, ...(isAppended ? [lastIndex(sql, values)] : [])];
  const complete = time === undefined ? values : completed(dml, sql, values, time, stale);
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
function completed(
  dml: Dml,
  sql: TableSql,
  values: readonly Value[],
  time: string,
  stale?: StaleRecords,
): readonly Value[] | WriteRejection {
  const { table } = sql;
  if (!table.logic) return values;
  const derived = derive(table.logic, shownRecord(table, values), totalsIn(dml, sql, []), time);
  const { computed } = derived;
  const rejection = rejectBroken(derived, table.name, values[sql.position('id')] as string, stale);
  if (rejection) return rejection;
  // A record of rules alone stays as it was prepared.
  if (Object.keys(computed).length === 0) return values;
  const all = { ...sql.byName(values), ...computed };
  const complete = table.columns.map(({ name }) => all[name] as Value);
  return fitsRecord(table, complete) ? complete : { outcome: 'record_too_large' };
}

/** Rejects a record with a version, which an undo restores, if it is there, or was since. */
function* rejectRestored(sql: TableSql, id: string, version: number | undefined): Steps<WriteRejection | undefined> {
  if (version === undefined) return undefined;
  const { dialect, organization } = sql;
  const statements = [sql.lock(id, 'exclusive'), findEvent(dialect, organization, id, version)];
  const found = yield { statements, keepsTransactionOpen: true };
  return found.some((rows) => rows.length > 0) ? { outcome: 'stale', version } : undefined;
}

/**
 * Stores a new row with what follows from it. If its statement may store none, as the row clashes with another one, that is a
 * round of its own: only a row that is stored is counted.
 */
function* storeRow(
  sql: TableSql,
  values: readonly Value[],
  version: number | undefined,
  effects: Pick<Round, 'counts' | 'events'>,
  later?: readonly Value[],
): Steps<Row | WriteRejection> {
  const statement = sql.insert(values, version);
  if (!sql.skipsClashes) {
    const [rows] = yield { statements: [statement], ...effects };
    return rows?.[0] ?? [];
  }
  const set = sql.byName(values);
  const id = set['id'] as string;
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const [rows] = yield { statements: [statement], keepsTransactionOpen: true };
    if (rows?.[0]) {
      yield { statements: [], ...effects };
      return rows[0];
    }
    const clash = (yield* rejectRestored(sql, id, version)) ?? (yield* findClash(sql, id, set, later));
    if (clash) return clash;
  }
  throw new Error(`The record ${id} cannot be stored, for no visible reason.`);
}

/** The largest `idx` of the line items with the parent that is in `values`; 0 if there are none. */
export function lastIndex(sql: TableSql, values: readonly Value[]): Statement {
  const where = parentColumns(sql.table).map((column) => [column, values[sql.position(column)] as Value] as const);
  const { bound, bind } = sql.binding();
  const siblings = conditionsOfParent(sql, Object.fromEntries(where), bind);
  return sql.statement(`select coalesce(max("idx"), 0) from ${sql.organizationRows(siblings)}`, bound);
}
