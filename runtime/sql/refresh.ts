import { isDone, type Origin, type WriteRejection, type WriteResult } from '../records/write.ts';
import type { Dml } from './dml.ts';
import type { RowCounts } from './row-counters.ts';
import type { StaleRecord, StaleRecords } from './stale-records.ts';
import type { Steps } from './types.ts';
import { within } from './steps.ts';
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
  record: StaleRecord,
  stale: StaleRecords,
  counts: RowCounts,
): Steps<WriteRejection | undefined> {
  const { table, id, isNamed } = record;
  stale.add(record);
  const write = { op: 'update', table, id, set: {}, expected: {}, time: origin.time, organization, origin } as const;
  const [result] = (yield* within(counts, [change(dml, write, { stale })])) as [WriteResult];
  return isDone(result) || result.outcome === 'not_found' ? undefined : rejectionOf(result as WriteRejection, isNamed);
}

/** The rejection of a record. Unless the last write names it, the fields of the record are not in the body. */
const rejectionOf = (rejection: WriteRejection, isNamed = false): WriteRejection =>
  rejection.outcome === 'rule_violated' && !isNamed
    ? { ...rejection, violations: rejection.violations.map(({ message }) => ({ message })) }
    : rejection;
