import { maxBatchResults, maxListLimit } from '../limits.ts';
import type { Dml } from './dml.ts';
import { RowCounts } from './row-counts.ts';
import type { Effect, OrganizationWrite, SingleResult, WriteOf, WriteResult } from './store.ts';
import type { Row, Steps, WriteSteps } from './steps.ts';

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
  { writes, organization, isTrial }: OrganizationBatch,
  stepsOf: (dml: Dml, write: OrganizationWrite) => WriteSteps,
): WriteSteps {
  const counts = new RowCounts();
  const results: Effect[] = [];
  let length = 0;
  for (const [at, write] of writes.entries()) {
    if (length > maxBatchResults) return tooLong(at);
    const result = (yield* within(counts, stepsOf(dml, { ...write, organization }))) as SingleResult;
    if (result.outcome === 'reordered') {
      const page = yield* firstPage(dml, { ...write, organization }, result.parent, counts, maxBatchResults - length);
      if (!page) return tooLong(at);
      length += page.items.length;
      results.push({ ...result, page });
    } else if (result.outcome === 'written' || result.outcome === 'deleted') {
      if (result.outcome === 'written') length += result.json.length;
      results.push(result);
    } else {
      return { outcome: 'refused', at, reason: result };
    }
  }
  if (isTrial) return { outcome: 'refused', at: writes.length, reason: undefined };
  yield { statements: [], counts: counts.take() };
  return { outcome: 'done', results };
}

/** Steps as a part of a transaction that goes on, and whose changes of row counters wait for its end. */
function* within(counts: RowCounts, steps: WriteSteps): WriteSteps {
  for (let rows: readonly (readonly Row[])[] = []; ;) {
    const { done, value } = steps.next(rows);
    if (done) return value;
    rows = yield { statements: value.statements, continues: true };
    for (const count of value.counts ?? []) counts.add(count);
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
): Steps<Reordered['page']> {
  const sql = dml.of(table, organization);
  const rows = sql.rows({ where });
  const [bytes, records] = sql.beginning(rows, maxListLimit);
  const [sums, totals] = yield { statements: [bytes, rows.total], continues: true };
  if (Number(sums?.[0]?.[0]) > maxBytes) return undefined;
  const uncounted = rows.isTotalCounted ? 0 : counts.pending(sql, where[sql.table.parent?.field ?? ''] ?? null);
  const total = Number(totals?.[0]?.[0]) + uncounted;
  const [found = []] = yield { statements: [records], continues: true };
  return { items: found.map(([json]) => json as string).join(), hasMore: total > maxListLimit, total };
}
