import { pause } from '../model/wait.ts';
import { keptSince } from '../sql/answers.ts';
import { answers, deliveries, events, literal, organizationColumn, organizations, quote } from '../sql/schema.ts';
import { type Database, transact } from './driver.ts';
import { rowsPerSlice } from './limits.ts';

/**
 * Runs a statement on slices of rows until there are no more.
 *
 * @param statement changes at most `rowsPerSlice` rows, and returns a row for each
 * @returns the number of rows
 */
export async function inSlices(database: Database, statement: string): Promise<number> {
  for (let rows = 0; ;) {
    const before = performance.now();
    const { length } = await transact(database, () => database.query(statement));
    rows += length;
    if (length < rowsPerSlice) return rows;
    // SQLite has no queue for its lock: others, who try again and again, get it in between.
    await pause(performance.now() - before);
  }
}

/** Milliseconds for which the deliveries of webhooks are kept that are over: a week. */
const deliveriesKept = 7 * 24 * 60 * 60 * 1000;

/**
 * Removes answers to requests that are no longer given, old deliveries of webhooks, and events that are older than some days: all
 * but the newest one of each organization, which the numbers go on from.
 *
 * @returns the number of events
 */
export async function removeOld(database: Database, days: number): Promise<number> {
  const before = new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();
  const all = await database.query(`select "id" from ${quote(organizations)} order by "id"`);
  const limit = `limit ${rowsPerSlice}`;
  const since = literal(keptSince(new Date().toISOString()));
  let removed = 0;
  for (const [id] of all) {
    const own = `${quote(organizationColumn)} = ${Number(id)}`;
    const newest = `select max("number") from ${quote(events)} where ${own}`;
    const oldest = `select "number" from ${quote(events)} where ${own} and "number" < (${newest}) order by "number" ${limit}`;
    const isOld = `"time" < ${literal(before)}`;
    removed += await inSlices(
      database,
      `delete from ${quote(events)} where ${own} and "number" in (${oldest}) and ${isOld} returning 1`,
    );
    for (const [table, key, isOver] of [
      [answers, '"owner", "key"', `"time" < ${since}`],
      [deliveries, '"webhook", "event"', `"state" <> 'waiting' and "at" < ${Date.now() - deliveriesKept}`],
    ] as const) {
      const slice = `select ${key} from ${quote(table)} where ${own} and ${isOver} ${limit}`;
      await inSlices(database, `delete from ${quote(table)} where ${own} and (${key}) in (${slice}) returning 1`);
    }
  }
  return removed;
}
