import { keptSince } from '../sql/answers.ts';
import { literal, quote } from '../sql/schema.ts';
import { answers, deliveries, events, organizationColumn, organizations } from '../sql/helper-tables.ts';
import type { Database } from './driver.ts';
import { rowsPerSlice } from './limits.ts';
import { inSlices } from './slices.ts';

/** Milliseconds for which the deliveries of webhooks are kept that are over: a week. */
const deliveriesKept = 7 * 24 * 60 * 60 * 1000;

/**
 * Removes answers to requests that are no longer given, old deliveries of webhooks, and events that are older than some days: all
 * but the newest one with a number of each organization, which the numbers go on from.
 *
 * @returns the number of events
 */
export async function removeOld(database: Database, days: number): Promise<number> {
  const before = new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();
  const all = await database.query(`select "id" from ${quote(organizations)} order by "id"`);
  const isOld = `"time" < ${literal(before)}`;
  const since = literal(keptSince(new Date().toISOString()));
  let removed = 0;
  for (const [id] of all) {
    const own = `${quote(organizationColumn)} = ${Number(id)}`;
    // Oldest first: the slice ends at the first event that is kept.
    const remove = (table: string, key: string, first: string, isOver = 'true'): Promise<number> =>
      inSlices(
        database,
        `delete from ${quote(table)} where ${own} and (${key}) in ` +
          `(select ${key} from ${quote(table)} where ${own} and ${first} limit ${rowsPerSlice}) and ${isOver} returning 1`,
      );
    const newest = `select max("number") from ${quote(events)} where ${own}`;
    removed += await remove(events, '"number"', `"number" < (${newest}) order by "number"`, isOld);
    // Events that were never read have no number on PostgreSQL.
    removed += await remove(events, '"record", "version"', `"number" is null order by "noted_at"`, isOld);
    const isDone = `"state" <> 'waiting' and "at" < ${Date.now() - deliveriesKept}`;
    await remove(answers, '"owner", "key"', `"time" < ${since}`);
    await remove(deliveries, '"webhook", "event"', isDone);
  }
  return removed;
}
