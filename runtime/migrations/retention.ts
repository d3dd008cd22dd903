import { pause } from '../model/wait.ts';
import { keptSince } from '../sql/answers.ts';
import { answers, events, literal, organizationColumn, organizations, quote } from '../sql/schema.ts';
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

/**
 * Removes answers to requests that are no longer given, and events that are older than some days: all but the newest one of
 * each organization, which the numbers go on from.
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
    const given = `select "owner", "key" from ${quote(answers)} where ${own} and "time" < ${since} ${limit}`;
    await inSlices(
      database,
      `delete from ${quote(answers)} where ${own} and ("owner", "key") in (${given}) returning 1`,
    );
  }
  return removed;
}
