import { maxBatchResults, maxListLimit } from '../limits.ts';
import type { Dml } from './dml.ts';
import { RowCounts } from './row-counts.ts';
import type { Effect, OrganizationWrite, SingleResult, SingleWrite, WriteOf, WriteResult } from './store.ts';
import type { Row, Steps, WriteSteps } from './steps.ts';

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
  { writes, organization, isTrial }: OrganizationBatch,
  stepsOf: (dml: Dml, write: OrganizationWrite) => WriteSteps,
): WriteSteps {
  const counts = new RowCounts();
  const results: Effect[] = [];
  let length = 0;
  for (const run of runsOf(writes)) {
    if (length > maxBatchResults) return tooLong(results.length);
    const all = run.map((write) => stepsOf(dml.uncounted, { ...write, organization }));
    for (const [i, result] of (yield* within(counts, all)).entries()) {
      const at = results.length;
      const write = { ...(run[i] as SingleWrite), organization };
      if (result.outcome === 'reordered') {
        const page = yield* firstPage(dml, write, result.parent, counts, maxBatchResults - length);
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
  }
  if (isTrial) return { outcome: 'refused', at: writes.length, reason: undefined };
  yield { statements: counts.take() };
  return { outcome: 'done', results };
}

/**
 * The writes whose statements are sent together: inserts that follow each other, as each is one round, and one that fails
 * fails the batch.
 */
function* runsOf(writes: readonly SingleWrite[]): Generator<readonly SingleWrite[]> {
  for (let start = 0; start < writes.length;) {
    let end = start;
    while (writes[end]?.op === 'insert') end++;
    yield writes.slice(start, (end = Math.max(end, start + 1)));
    start = end;
  }
}

/** Steps as a part of a transaction that goes on, and whose changes of row counters wait for its end. */
function* within(counts: RowCounts, all: readonly WriteSteps[]): Steps<SingleResult[]> {
  const results = new Map<WriteSteps, SingleResult>();
  let rows: Rows[] = all.map(() => []);
  for (;;) {
    const rounds = all.map((steps, i) => {
      if (results.has(steps)) return [];
      const { done, value } = steps.next(rows[i] as Rows);
      // Changes of counters come last, and have no results.
      if (!done) return value.statements.filter((statement) => !counts.takesOver(statement));
      results.set(steps, value as SingleResult);
      return [];
    });
    if (results.size === all.length) return [...results.values()];
    // Their caller does not count the rows.
    const statements = rounds.flat().map(({ text, values }) => ({ text, values }));
    const answers = (yield { statements, continues: true }).values();
    rows = rounds.map((round) => round.map(() => answers.next().value ?? []));
    for (const [i, round] of rounds.entries()) {
      for (const [j, statement] of round.entries()) counts.note(statement, rows[i]?.[j] ?? []);
    }
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
  const { bytes, records } = sql.beginning(rows, maxListLimit);
  const [sums, totals] = yield { statements: [bytes, rows.total], continues: true };
  if (Number(sums?.[0]?.[0]) > maxBytes) return undefined;
  const uncounted = rows.isTotalCounted ? 0 : counts.pending(sql, where[sql.table.parent?.field ?? ''] ?? null);
  const total = Number(totals?.[0]?.[0]) + uncounted;
  const [found = []] = yield { statements: [records], continues: true };
  return { items: found.map(([json]) => json as string).join(), hasMore: total > maxListLimit, total };
}
