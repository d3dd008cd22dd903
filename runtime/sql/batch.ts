import { maxBatchResults, maxListLimit } from '../model/limits.ts';
import { buildList } from './list.ts';
import type { Value } from '../model/fields.ts';
import type { TableSql } from './table-sql.ts';
import type { Dml } from './dml.ts';
import type { Statement, Steps, WriteSteps } from './types.ts';
import { lockAll, type LockStrength, parentLock, strengths } from './record-locks.ts';
import { refresh } from './refresh.ts';
import { lockExternalParent, RowCounts } from './row-counters.ts';
import { type StaleRecord, StaleRecords } from './stale-records.ts';
import {
  type Effect,
  type Guard,
  isDone,
  type OrganizationWrite,
  type SingleWrite,
  type WriteRejection,
  type WriteResult,
} from '../records/write.ts';
import { within } from './steps.ts';

type Reordered = Extract<Effect, { outcome: 'reordered' }>;

const tooLarge = (at: number): WriteResult => ({ outcome: 'refused', at, reason: { outcome: 'results_too_large' } });

/**
 * The steps of a batch: those of its writes, one after the other in one transaction, and what they change in row counters. The
 * records that they make stale change at the end, or with a write that names them; rules over totals are checked at the end.
 *
 * @param stepsOf the steps of a single write
 */
export function* batchSteps(
  dml: Dml,
  batch: OrganizationWrite<'batch'>,
  stepsOf: (write: OrganizationWrite, stale: StaleRecords) => WriteSteps,
): WriteSteps {
  const { writes, organization, origin, isTrial, hidden = [], maxResults = maxBatchResults } = batch;
  const counts = new RowCounts();
  const results: Effect[] = [];
  const others: string[] = [];
  const stale = new StaleRecords();
  function* refreshAll(records: Iterable<StaleRecord>): Steps<WriteResult | undefined> {
    for (const record of records) {
      const rejection = yield* refresh(dml, batch, record, stale, counts);
      if (rejection) return { outcome: 'refused', at: record.at ?? 0, reason: withoutUndone(writes, rejection) };
      others.push(record.id);
    }
    return undefined;
  }
  let length = 0;
  let at = 0;
  const outdated = yield* lockRows(dml, batch);
  if (outdated) return { outcome: 'outdated', id: outdated.id };
  for (const run of runsOf(dml, batch)) {
    const created = createdBy(run);
    const named = run.flatMap((write) => targetsOf(write).flatMap((id) => stale.take(write.table, id) ?? []));
    const all = run.map((write, i) => ({
      write: { ...write, organization, origin, later: created.slice(i + 1) },
      stale: new StaleRecords(true),
    }));
    const [{ op }] = run as [SingleWrite];
    if (op === 'reorder') {
      // Its result shows them.
      const refusal = yield* refreshAll(named);
      if (refusal) return refusal;
    } else if (op !== 'delete') {
      for (const record of named) all[0]?.stale.add(record);
    }
    const steps = all.map((part) => stepsOf(part.write, part.stale));
    for (const [i, result] of (yield* within(counts, steps)).entries()) {
      stale.addAll(all[i]!.stale, at);
      const write = { ...(run[i] as SingleWrite), organization, origin };
      if (!isDone(result)) {
        return { outcome: 'refused', at, reason: withoutUndone(writes, result as WriteRejection) };
      }
      // The response does not show what hooks do.
      const isShown = !hidden.includes(at);
      if (isShown && result.outcome === 'reordered') {
        const page = yield* firstPage(dml, write, result.parent, counts, maxResults - length);
        if (!page) return tooLarge(at);
        length += Buffer.byteLength(page.items);
        results.push({ ...result, page });
      } else if (isShown && (result.outcome === 'written' || result.outcome === 'deleted')) {
        if (result.outcome === 'written') length += Buffer.byteLength(result.json);
        results.push(result);
      }
      if (length > maxResults) return tooLarge(at);
      at++;
    }
  }
  // The writes that would follow may keep the rules that these break.
  if (isTrial) return { outcome: 'refused', at: writes.length, reason: undefined };
  const refusal = yield* refreshAll(stale.takeAll());
  if (refusal) return refusal;
  yield { statements: [], counts: counts.drain() };
  return { outcome: 'done', results, ...(others.length > 0 && { others }) };
}

/** A rejection that names no record of the batch itself, which is not stored. */
function withoutUndone(writes: readonly SingleWrite[], rejection: WriteRejection): WriteRejection {
  const created = new Set<unknown>(createdBy(writes));
  if (rejection.outcome === 'still_referenced') {
    const by = rejection.by.map((one) => ({ ...one, ids: one.ids.filter((id) => !created.has(id)) }));
    return { ...rejection, by };
  }
  if (rejection.outcome === 'locked' && created.has(rejection.id ?? null)) return { ...rejection, id: undefined };
  if (rejection.outcome !== 'not_unique' || !created.has(rejection.id ?? null)) return rejection;
  const { id: _, ...others } = rejection;
  return others;
}

/** The ids of the records that writes create: the first column. */
const createdBy = (writes: readonly SingleWrite[]): Value[] =>
  writes.flatMap((write) => (write.op === 'insert' ? write.values.slice(0, 1) : []));

/**
 * The writes whose statements are sent together: inserts that follow each other, as one that fails fails the batch. The place
 * of a line item depends on its siblings: of each table a run has one at most, and of those that are added up. A record with
 * references is inserted after those.
 */
function* runsOf(dml: Dml, { writes, organization }: OrganizationWrite<'batch'>): Generator<readonly SingleWrite[]> {
  const run: SingleWrite[] = [];
  // Both may change one parent.
  const isBothAddedUp = (...both: [string, string]): boolean => both.every((table) => dml.addedUp(table));
  for (const write of writes) {
    const isItem = dml.of(write.table, organization).table.parent !== undefined;
    const mayHaveSiblings =
      isItem && run.some(({ table }) => table === write.table || isBothAddedUp(table, write.table));
    const mayWait = mayHaveSiblings || run.some((before) => namesLater(dml, before, write));
    const joins = write.op === 'insert' && run.at(-1)?.op === 'insert' && !mayWait;
    if (!joins && run.length > 0) yield run.splice(0);
    run.push(write);
  }
  yield run;
}

/** Whether a write names the record of another one, whose insert waits for its own references. */
function namesLater(dml: Dml, before: SingleWrite, write: SingleWrite): boolean {
  if (before.op !== 'insert' || write.op !== 'insert' || dml.referencesOf(before.table).length === 0) return false;
  // The id is the first column.
  return write.values.includes(before.values[0] as Value);
}

/**
 * The first page of the items of a parent, as the writes before have left them: the next ones may change it.
 *
 * @returns undefined if its strings have more than `maxBytes`
 */
function* firstPage(
  dml: Dml,
  { table, organization }: OrganizationWrite,
  where: Reordered['parent'],
  counts: RowCounts,
  maxBytes: number,
): Steps<Reordered['page']> {
  const sql = dml.of(table, organization);
  const rows = buildList(sql, { where });
  const first = `${rows.parts.join()} limit ${maxListLimit}`;
  const bytes = sql.statement(sql.selectBytes(first), rows.values);
  const [sums, totals] = yield { statements: [bytes, rows.total], keepsTransactionOpen: true };
  if (Number(sums?.[0]?.[0]) > maxBytes) return undefined;
  const uncounted = rows.isTotalCounted ? 0 : counts.pending(sql, where[sql.table.parent?.field ?? ''] ?? null);
  const total = Number(totals?.[0]?.[0]) + uncounted;
  const records = sql.statement(sql.dialect.selectJson(sql.table, first), rows.values);
  const [found = []] = yield { statements: [records], keepsTransactionOpen: true };
  return { items: found.map(([json]) => json as string).join(), hasMore: total > maxListLimit, total };
}

/** A row that a write or a guard names. */
interface NamedRow {
  readonly table: string;
  readonly id: Value | undefined;
  readonly lock: LockStrength;
  /** The table of the line item that has the id: the row is its parent. */
  readonly items?: string;
}

/** Locks the rows of a batch. @returns the guard whose record has another version, or is gone */
function* lockRows(dml: Dml, batch: OrganizationWrite<'batch'>): Steps<Guard | undefined> {
  const statements = locksOf(dml, batch);
  if (statements.length === 0) return undefined;
  const results = yield { statements, keepsTransactionOpen: true };
  const versions = new Map(results.flat().map(([id, version]) => [id, Number(version)]));
  return batch.guards?.find(({ id, version }) => versions.get(id) !== version);
}

/**
 * Statements that lock all rows that writes name, and the parents of items, in one order: batches that change the same records
 * cannot wait for each other in a circle. Parents come before items, and row counters last, as in single writes. So are the rows
 * of guards.
 *
 * @returns those of guards alone if the engine has a single writer; without guards, none if the writes name fewer than two rows
 */
function locksOf(dml: Dml, { writes, organization, guards = [] }: OrganizationWrite<'batch'>): Statement[] {
  const guarded = guards.map(({ table, id }): NamedRow => ({ table, id, lock: 'againstChange' }));
  const sqlOf = (table: string): TableSql => dml.of(table, organization);
  const lock = (some: readonly NamedRow[]): Statement => {
    const [{ table }] = some as [NamedRow];
    const [named = [], of = []] = [false, true].map((isParent) =>
      some.filter(({ items }) => isParent === (items !== undefined)),
    );
    const parents = inOrder(Map.groupBy(of, ({ items }) => String(items))).map(
      (rows) => [sqlOf(String(rows[0]?.items)), rows.map(({ id }) => String(id))] as const,
    );
    // One strength for all rows of a table: two statements would not lock them in the order of their ids.
    const strength = strengths.findLast((one) => some.some((row) => row.lock === one)) as LockStrength;
    return lockAll(sqlOf(table), JSON.stringify(named.map(({ id }) => ({ id }))), strength, parents);
  };
  if (dml.dialect.lock.forDelete === '') {
    return [...Map.groupBy(guarded, ({ table }) => table).values()].map(lock);
  }
  const all = [...guarded, ...writes.flatMap((write) => rowsOf(dml, sqlOf(write.table), write))];
  const created = new Set<unknown>(createdBy(writes));
  const rows = all
    // No stored id contains U+0000, which PostgreSQL refuses.
    .filter(({ id }) => typeof id === 'string' && !id.includes('\0') && !created.has(id));
  const places = Map.groupBy(rows, ({ table }) => `${sqlOf(table).table.parent ? 'item' : ''} ${table}`);
  const external = writes.flatMap((write) => externalLock(sqlOf(write.table), write) ?? []);
  const externalLocks = new Map(external.map((one) => [one.text + JSON.stringify(one.values), one]));
  const named = rows.filter(({ items }) => items === undefined);
  if (guards.length === 0 && named.length + externalLocks.size < 2) return [];
  return [...inOrder(places).map(lock), ...inOrder(externalLocks)];
}

/** The rows that a write changes or deletes, and the parents of those that are line items. */
function rowsOf(dml: Dml, sql: TableSql, write: SingleWrite): NamedRow[] {
  const { name, parent } = sql.table;
  const strength = parentLock(dml, sql, dml.addedUp(name) !== undefined);
  const owner = strength === 'againstDelete' ? undefined : parent?.table;
  const named = targetsOf(write).flatMap((id): NamedRow[] => [
    { table: name, id, lock: 'forDelete' },
    ...(owner === undefined ? [] : [{ table: owner, id, lock: strength, items: name }]),
  ]);
  return [...named, ...parentOf(sql, write)];
}

/** The ids of the records that a write changes or deletes. */
export function targetsOf(write: SingleWrite): readonly string[] {
  if (write.op === 'insert') return [];
  return write.op === 'reorder' ? write.items.map(({ id }) => id) : [write.id];
}

/** The parent that an item is created under, or moved to. */
function parentOf(sql: TableSql, write: SingleWrite): readonly NamedRow[] {
  const { parent } = sql.table;
  if (parent?.table === undefined) return [];
  const { table, field } = parent as { table: string; field: string };
  if (write.op === 'insert') return [{ table, id: write.values[sql.position(field)], lock: 'forDelete' }];
  return write.op === 'update' ? [{ table, id: write.set[field], lock: 'forDelete' }] : [];
}

/** Locks the parent that is stored outside this service, if an item is appended to its items. */
function externalLock(sql: TableSql, write: SingleWrite): Statement | undefined {
  const { parent } = sql.table;
  if (write.op !== 'insert' || !parent || parent.table !== undefined) return undefined;
  if (write.values[sql.position('idx')] !== null) return undefined;
  return lockExternalParent(sql, write.values[sql.position(parent.field)] as Value);
}

const inOrder = <T>(all: ReadonlyMap<string, T>): T[] =>
  [...all].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
