import { continueAfter } from '../model/ids.ts';
import { log } from '../../observability/log.ts';
import type { Table } from '../model/table.ts';
import type { Records } from './store.ts';
import { checkInterval, clockTolerance } from '../model/limits.ts';

interface Look {
  readonly at: number;
  readonly done: Promise<void>;
}

/** The last look at each table, by its name. */
const clockChecks = new WeakMap<Records, Map<string, Look>>();

let isAheadSaid = false;

/**
 * Makes the next id and time follow those of the table's stored records, so that a new record is listed before them even if
 * the clock was ahead when they were made, by an earlier start or by another server. Looks once a second at most.
 *
 * @throws ApiError `unavailable`
 */
export async function continueAfterStored(records: Records, table: Table): Promise<void> {
  const ofRecords = clockChecks.getOrInsertComputed(records, () => new Map<string, Look>());
  const now = performance.now();
  const last = ofRecords.get(table.name);
  if (last && now - last.at < checkInterval) return last.done;
  const done = records.newest(table.name).then((ids) => {
    for (const id of ids) sayIfAhead(table, continueAfter(id));
  });
  // Creates that come meanwhile wait as well.
  ofRecords.set(table.name, { at: now, done });
  done.catch(() => ofRecords.delete(table.name));
  return done;
}

function sayIfAhead(table: Table, time: number | undefined): void {
  if (isAheadSaid || time === undefined || time < Date.now() + clockTolerance) return;
  isAheadSaid = true;
  log.warn(
    `The newest ${table.title} was created at ${new Date(time).toISOString()}, which is ahead of this machine's clock. New ` +
      'records follow it in steps of a millisecond until the clock has caught up. Check the clocks of the servers.',
  );
}
