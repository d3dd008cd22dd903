import { maxBatchResults } from '../../kernel/model/limits.ts';
import type { Value } from '../../kernel/model/fields.ts';
import type { TableSql } from '../../kernel/sql/table-sql.ts';
import type { Dml } from '../../kernel/sql/dml.ts';
import type { Statement, Steps, WriteSteps } from '../../kernel/sql/types.ts';
import { lockAll, type LockStrength, strengths } from '../../kernel/sql/record-locks.ts';
import type { RowCounts } from '../../kernel/sql/row-counters.ts';
import { StaleRecords } from '../../kernel/sql/stale-records.ts';
import { ownSteps, targetsOf } from '../../kernel/sql/writes.ts';
import {
  type Guard,
  isDone,
  type OrganizationWrite,
  type SingleWrite,
  type WriteRejection,
  type WriteResult,
} from '../../kernel/records/write.ts';
import { within } from '../../kernel/sql/steps.ts';
import {
  BatchRecords,
  createdBy,
  givenTo,
  readsComputed,
  readsOf,
  type Source,
  sourcesOf,
  withoutUndone,
} from './batch-records.ts';
import { firstPage, lockLists, readList, type Selection, selectionOf, stateOf } from './lists.ts';

const tooLarge = (at: number): WriteResult => ({ outcome: 'refused', at, reason: { outcome: 'results_too_large' } });

/**
 * The steps of a batch: those of its writes, one after the other in one transaction, and what they change in row counters. The
 * records that they make stale change at the end, with a write that names them, or ahead of one that reads their totals; rules over totals are checked at the end. Lists
 * that it relies on are read again between the writes between which they were read.
 */
export function* batchSteps(dml: Dml, batch: OrganizationWrite<'batch'>): WriteSteps {
  const { writes, organization, origin, isTrial, read, hidden = [], maxResults = maxBatchResults } = batch;
  const records = new BatchRecords(dml, batch);
  const { counts, results, stale } = records;
  let length = 0;
  let at = 0;
  const outdated = yield* lockRows(dml, batch);
  if (outdated) return { outcome: 'outdated', id: outdated.id };
  for (const { writes: run, sources } of runsOf(dml, batch)) {
    const changedList = yield* findOutdated(dml, batch, at, counts);
    if (changedList) return changedList;
    const created = createdBy(run);
    const [first] = run as [SingleWrite];
    const ofSource = yield* records.refreshSources(first, sources, at);
    if (ofSource) return ofSource;
    const named = run.flatMap((write) => targetsOf(write).flatMap((id) => stale.take(write.table, id) ?? []));
    const all = run.map((write, i) => ({
      write: { ...write, organization, origin, later: created.slice(i + 1) },
      stale: new StaleRecords(true),
    }));
    if (first.op === 'reorder') {
      // Its result shows them.
      const refusal = yield* records.refreshAll(named);
      if (refusal) return refusal;
    } else if (first.op !== 'delete') {
      for (const record of named) all[0]?.stale.add(record);
    }
    const steps = all.map((part) => ownSteps(dml, part.write, part.stale));
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
        if (write.op === 'insert' && write.version !== undefined)
          records.restored.set(String(write.values[0]), results.length);
        results.push(result);
      }
      if (length > maxResults) return tooLarge(at);
      at++;
    }
  }
  const changedList = yield* findOutdated(dml, batch, at, counts);
  if (changedList) return changedList;
  const end = { outcome: 'refused', at: writes.length, reason: undefined } as const;
  if (read) return { ...end, list: yield* readList(dml.of(read.table, organization), read, counts) };
  // The writes that would follow may keep the rules that these break.
  if (isTrial) return end;
  const refusal = yield* records.refreshAll(stale.takeAll(dml.placeOf));
  if (refusal) return refusal;
  yield { statements: [], counts: counts.drain() };
  return { outcome: 'done', results, ...(records.others.length > 0 && { others: records.others }) };
}

/** Reads the lists on which writes from a place on rely. @returns one that has changed */
function* findOutdated(
  dml: Dml,
  { lists = [], organization }: OrganizationWrite<'batch'>,
  at: number,
  counts: RowCounts,
): Steps<WriteResult | undefined> {
  const here = lists.filter((list) => list.at === at);
  if (here.length === 0) return undefined;
  const selections = here.map((list) => selectionOf(dml.of(list.table, organization), list));
  const rows = yield { statements: selections.map(({ state }) => state), keepsTransactionOpen: true };
  const changed = here.find(({ state }, i) => stateOf(selections[i] as Selection, rows[i], counts) !== state);
  return changed && { outcome: 'outdated', id: `${organization} ${changed.table}` };
}

/** Writes whose statements are sent together. */
interface Run {
  readonly writes: SingleWrite[];
  /** The sources of the first write: the others have none. */
  readonly sources: readonly Source[];
}

/**
 * The runs of a batch: inserts that follow each other, as one that fails fails the batch. The place of a line item depends on its
 * siblings: of each table a run has one at most, and of those over which there are totals. A record with references is inserted after
 * those. A list is read between runs.
 */
function* runsOf(dml: Dml, { writes, organization, lists = [] }: OrganizationWrite<'batch'>): Generator<Run> {
  let run: Run | undefined;
  // Both may change one parent.
  const haveTotals = (...both: [string, string]): boolean => both.every((table) => dml.hasTotals(table));
  for (const [at, write] of writes.entries()) {
    const former = run?.writes ?? [];
    const isItem = dml.of(write.table, organization).table.parent !== undefined;
    const mayHaveSiblings =
      isItem && former.some(({ table }) => table === write.table || haveTotals(table, write.table));
    const mayWait = mayHaveSiblings || former.some((before) => namesLater(dml, before, write));
    const sources = sourcesOf(dml, write);
    const isApart = mayWait || sources.length > 0 || lists.some((list) => list.at === at);
    if (run && write.op === 'insert' && former.at(-1)?.op === 'insert' && !isApart) run.writes.push(write);
    else {
      if (run) yield run;
      run = { writes: [write], sources };
    }
  }
  if (run) yield run;
}

/**
 * Whether a write names the record of another one, whose insert waits for its own references, for values that it copies, for
 * counters, or for what it restores.
 */
function namesLater(dml: Dml, before: SingleWrite, write: SingleWrite): boolean {
  if (before.op !== 'insert' || write.op !== 'insert') return false;
  const waits =
    dml.referencesOf(before.table).length > 0 || dml.changesRows(before.table) || before.absent !== undefined;
  if (before.version === undefined && !waits) return false;
  // The id is the first column.
  return write.values.includes(before.values[0] as Value);
}

/** A row that a write or a guard names. */
interface NamedRow {
  readonly table: string;
  readonly id: Value | undefined;
  readonly lock: LockStrength;
  /** The table of the row that has the id, and its column that names this one. */
  readonly by?: readonly [table: string, column: string];
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
 * of guards. A batch that relies on lists waits for its turn ahead of them.
 *
 * @returns those of guards alone if the engine has a single writer; without guards and lists, none if the writes name fewer than
 *   two rows
 */
function locksOf(dml: Dml, batch: OrganizationWrite<'batch'>): Statement[] {
  const { table: firstTable, writes, organization, origin, guards = [], lists = [] } = batch;
  const guarded = guards.map(({ table, id }): NamedRow => ({ table, id, lock: 'againstChange' }));
  const sqlOf = (table: string): TableSql => dml.of(table, organization);
  const lock = (some: readonly NamedRow[]): Statement => {
    const [{ table }] = some as [NamedRow];
    const [named = [], of = []] = [false, true].map((isNamed) =>
      some.filter(({ by }) => isNamed === (by !== undefined)),
    );
    const naming = inOrder(Map.groupBy(of, ({ by }) => String(by))).map((rows) => {
      const [name = '', column = ''] = rows[0]?.by ?? [];
      return { sql: sqlOf(name), column, ids: rows.map(({ id }) => String(id)) };
    });
    // One strength for all rows of a table: two statements would not lock them in the order of their ids.
    const strength = strengths.findLast((one) => some.some((row) => row.lock === one)) as LockStrength;
    return lockAll(sqlOf(table), JSON.stringify(named.map(({ id }) => ({ id }))), strength, naming);
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
  const last = dml.parts.flatMap((part) => {
    const locks = writes.flatMap((write) => part.ahead?.(sqlOf(write.table), write, origin) ?? []);
    return inOrder(new Map(locks.map((one) => [one.text + JSON.stringify(one.values), one])));
  });
  const named = rows.filter(({ by }) => by === undefined);
  const turns = lists.length > 0 ? [lockLists(sqlOf(firstTable))] : [];
  if (guards.length + turns.length === 0 && named.length + last.length < 2) return [];
  return [...turns, ...inOrder(places).map(lock), ...last];
}

/** The rows that a write changes or deletes, the parents of those that are line items, and the records that its rules read. */
function rowsOf(dml: Dml, sql: TableSql, write: SingleWrite): NamedRow[] {
  const { name, parent } = sql.table;
  const strength = dml.parentLock(sql, dml.hasTotals(name, sql.parentField));
  const owner = strength === 'againstDelete' ? undefined : parent?.table;
  const named = targetsOf(write).flatMap((id): NamedRow[] => [
    { table: name, id, lock: 'forDelete' },
    ...(owner === undefined ? [] : [{ table: owner, id, lock: strength, by: [name, sql.parentField] as const }]),
  ]);
  return [...named, ...parentOf(sql, write), ...referencedBy(dml, sql, write), ...readBy(dml, sql, write)];
}

/** The parent that an item is created under, or moved to. */
function parentOf(sql: TableSql, write: SingleWrite): readonly NamedRow[] {
  const { parent } = sql.table;
  if (parent?.table === undefined) return [];
  const { table, field } = parent as { table: string; field: string };
  return [{ table, id: givenTo(sql, write, field), lock: 'forDelete' }];
}

/** The records that a create names which takes a lock behind theirs. */
function referencedBy(dml: Dml, sql: TableSql, write: SingleWrite): NamedRow[] {
  const { name } = sql.table;
  if (write.op !== 'insert' || !dml.changesRows(name)) return [];
  return dml.referencesOf(name).flatMap((reference): NamedRow[] => {
    const { column, table } = reference;
    const id = givenTo(sql, write, column);
    const lock = dml.hasTotals(name, column) ? 'exclusive' : 'againstDelete';
    return dml.isOfTarget(reference, String(id)) ? [{ table, id, lock }] : [];
  });
}

/** The records that rules of a write read. */
function readBy(dml: Dml, sql: TableSql, write: SingleWrite): NamedRow[] {
  return readsOf(dml, write).flatMap((read): NamedRow[] => {
    const { column, table } = read;
    const id = givenTo(sql, write, column);
    // Two batches that both go on to refresh it would wait for each other.
    const named = { table, lock: readsComputed(dml, read) ? ('exclusive' as const) : read.lock };
    if (id !== undefined) return [{ ...named, id }];
    return targetsOf(write).map((one) => ({ ...named, id: one, by: [sql.table.name, column] }));
  });
}

const inOrder = <T>(all: ReadonlyMap<string, T>): T[] =>
  [...all].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
