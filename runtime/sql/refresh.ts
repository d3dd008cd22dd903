import { isDone, type Origin, type WriteRejection, type WriteResult } from '../records/write.ts';
import type { Dml } from './dml.ts';
import type { RowCounts } from './row-counters.ts';
import type { StaleRecord, StaleRecords } from './stale-records.ts';
import { type Steps, within } from './steps.ts';
import { change } from './updates.ts';

/** The write that has made records stale. */
interface Cause {
  readonly organization: number;
  readonly origin: Origin;
}

/**
 * Changes a record as others have changed, in their transaction: it gets the computed fields that follow from them. A record that
 * is gone stays so.
 *
 * @param stale takes the records that follow from it
 */
export function* refresh(
  dml: Dml,
  { organization, origin }: Cause,
  { table, id, items, isChanged }: StaleRecord,
  stale: StaleRecords,
  counts: RowCounts,
): Steps<WriteRejection | undefined> {
  const write = { op: 'update', table, id, set: {}, expected: {}, time: origin.time, organization, origin } as const;
  const [result] = (yield* within(counts, [change(dml, write, { stale, isChanged, items })])) as [WriteResult];
  return isDone(result) || result.outcome === 'not_found' ? undefined : ofOther(result as WriteRejection);
}

/** The rejection of another record than the body is of: its fields are not in there. */
const ofOther = (rejection: WriteRejection): WriteRejection =>
  rejection.outcome === 'rule_violated'
    ? { ...rejection, violations: rejection.violations.map(({ message }) => ({ message })) }
    : rejection;
