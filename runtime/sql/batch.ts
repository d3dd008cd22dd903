import { maxBatchResults, maxListLimit } from '../model/limits.ts';
import { locksOf } from './batch-locks.ts';
import type { Dml } from './table-sql.ts';
import { RowCounts } from './row-counts.ts';
import type { Effect, OrganizationWrite, SingleResult, SingleWrite, WriteOf, WriteResult } from '../records/store.ts';
import type { Row, WritePlan, WriteSteps } from './steps.ts';

type Rows = readonly (readonly Row[])[];
type Reordered = Extract<Effect, { outcome: 'reordered' }>;
type OrganizationBatch = WriteOf<'batch'> & Pick<OrganizationWrite, 'organization'>;

const tooLong = (at: number): WriteResult => ({ outcome: 'refused', at, reason: { outcome: 'results_too_long' } });

/**
 * The steps of a batch: those of its writes, one after the other in one transaction, and what they change in row counters.
 *
 * @param stepsOf the steps of a single write
 */
export function* batchSteps(
  dml: Dml,
  batch: OrganizationBatch,
  stepsOf: (dml: Dml, write: OrganizationWrite) => WriteSteps,
): WriteSteps {
  const { writes, organization, isTrial, maxBytes = maxBatchResults } = batch;
  // The last operation may go beyond what no batch may have, not beyond what there is room for.
  const isStrict = maxBytes < maxBatchResults;
  const counts = new RowCounts();
  const results: Effect[] = [];
  let length = 0;
  const locks = locksOf(dml, writes, organization);
  if (locks.length > 0) yield { statements: locks, keepsTransactionOpen: true };
  for (const run of runsOf(dml, batch)) {
    if (length > maxBytes) return tooLong(results.length);
    const limit = isStrict ? { maxBytes: maxBytes - length } : undefined;
    const all = run.map((write) => stepsOf(dml, { ...write, ...(isAnswered(write) && limit), organization }));
    for (const [i, result] of (yield* within(counts, all)).entries()) {
      const at = results.length;
      const write = { ...(run[i] as SingleWrite), organization };
      if (result.outcome === 'reordered') {
        const page = yield* firstPage(dml, write, result.parent, counts, maxBytes - length);
        if (!page) return tooLong(at);
        length += Buffer.byteLength(page.items);
        results.push({ ...result, page });
      } else if (result.outcome === 'written' || result.outcome === 'deleted') {
        if (result.outcome === 'written') length += Buffer.byteLength(result.json);
        results.push(result);
      } else if (result.outcome === 'too_long') {
        return tooLong(at);
      } else {
        return { outcome: 'refused', at, reason: result };
      }
      if (isStrict && length > maxBytes) return tooLong(at);
    }
  }
  if (isTrial) return { outcome: 'refused', at: writes.length, reason: undefined };
  yield { statements: [], counts: counts.take() };
  return { outcome: 'done', results };
}

/** Whether a write answers with a record that may be longer than what it carries. */
const isAnswered = ({ op }: SingleWrite): boolean => op === 'update' || op === 'transition';

/**
 * The writes whose statements are sent together: inserts that follow each other, as one that fails fails the batch. The place
 * of a line item depends on its siblings: of each table a run has one at most.
 */
function* runsOf(dml: Dml, { writes, organization }: OrganizationBatch): Generator<readonly SingleWrite[]> {
  const run: SingleWrite[] = [];
  for (const write of writes) {
    const isItem = dml.of(write.table, organization).table.parent !== undefined;
    const mayHaveSiblings = isItem && run.some(({ table }) => table === write.table);
    const joins = write.op === 'insert' && run.at(-1)?.op === 'insert' && !mayHaveSiblings;
    if (!joins && run.length > 0) yield run.splice(0);
    run.push(write);
  }
  yield run;
}

/** Steps as parts of a transaction that goes on, and whose changes of row counters wait for its end. */
function* within(counts: RowCounts, all: readonly WriteSteps[]): WritePlan<SingleResult[]> {
  const results: SingleResult[] = [];
  let left = all.map((steps, at) => ({ steps, at, rows: [] as Rows }));
  for (;;) {
    const rounds = left.flatMap(({ steps, at, rows }) => {
      const { done, value } = steps.next(rows);
      if (!done) return [{ steps, at, round: value }];
      results[at] = value as SingleResult;
      return [];
    });
    if (rounds.length === 0) return results;
    const answers = yield { statements: rounds.flatMap(({ round }) => round.statements), keepsTransactionOpen: true };
    let first = 0;
    left = rounds.map(({ steps, at, round: { statements, counts: changes = [] } }) => {
      for (const change of changes) counts.add(change);
      return { steps, at, rows: answers.slice(first, (first += statements.length)) };
    });
  }
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
): WritePlan<Reordered['page']> {
  const sql = dml.of(table, organization);
  const rows = sql.rows({ where });
  const [bytes, records] = sql.beginning(rows, maxListLimit);
  const [sums, totals] = yield { statements: [bytes, rows.total], keepsTransactionOpen: true };
  if (Number(sums?.[0]?.[0]) > maxBytes) return undefined;
  const uncounted = rows.isTotalCounted ? 0 : counts.pending(sql, where[sql.table.parent?.field ?? ''] ?? null);
  const total = Number(totals?.[0]?.[0]) + uncounted;
  const [found = []] = yield { statements: [records], keepsTransactionOpen: true };
  return { items: found.map(([json]) => json as string).join(), hasMore: total > maxListLimit, total };
}
