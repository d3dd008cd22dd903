import type { Feature } from '../../kernel/feature.ts';
import { literal, organizationColumn, organizations, quote } from '../../kernel/sql/schema.ts';
import { events } from './event-table.ts';
import { partsOf } from '../../migrations/part.ts';
import type { Database } from '../../migrations/types.ts';
import { rowsPerSlice } from '../../migrations/limits.ts';
import { day } from '../../kernel/values/time.ts';
import { numberNew } from './number-events.ts';
import { inSlices } from '../../migrations/slices.ts';
import { ownTables } from '../../migrations/own-tables.ts';

/**
 * Removes rows of own tables that are not needed any more, and events that are older than some days, but for the newest one of
 * each organization, which the numbers go on from.
 *
 * The clock may be wrong. So the days are counted back from an event, the last one that is over a day old: a clock that jumps
 * removes nothing until events of another day follow.
 *
 * @param now milliseconds, by the clock of the server
 * @param warn gets a message about events that are kept because of a jump, or removed before a webhook got them
 * @returns the number of events
 */
export async function removeOld(
  features: readonly Feature[],
  database: Database,
  days: number,
  now = Date.now(),
  warn: (message: string) => void = () => undefined,
): Promise<number> {
  const all = await database.query(`select "id", "name" from ${quote(organizations)} order by "id"`);
  const parts = await partsOf(features);
  let removed = 0;
  for (const [id, name] of all) {
    const own = `${quote(organizationColumn)} = ${Number(id)}`;
    const remove = (table: string, key: string, first: string): Promise<number> =>
      inSlices(
        database,
        `delete from ${quote(table)} where ${own} and (${key}) in ` +
          `(select ${key} from ${quote(table)} where ${own} and ${first} limit ${rowsPerSlice}) returning 1`,
      );
    const old = await oldOnes(database, Number(id), days, now, (time) =>
      warn(
        `The clock jumped by over a day, or organization ${String(name)} wrote nothing, from ${time} on: old events are kept ` +
          'until events of another day follow.',
      ),
    );
    if (old) {
      const ofOrganization = `from ${quote(events)} where ${own} and "number"`;
      // A clock that was behind for a while has left early times between later ones: it ends at the first later one.
      const slice = `select "number", "time" ${ofOrganization} <= ${old.last} order by "number" limit ${rowsPerSlice}`;
      const young = `select min("number") from (${slice}) as _slice where "time" >= ${literal(old.before)}`;
      const end = `coalesce((${young}), ${old.last + 1})`;
      removed += await remove(events, '"number"', `"number" < ${end} order by "number"`);
      const [[first] = []] = await database.query(`select min("number") ${ofOrganization} > 0`);
      const last = Number(first) - 1;
      for (const { skipRemoved } of parts) (await skipRemoved?.(database, Number(id), last))?.forEach(warn);
    }
    for (const { name: table, key = '"id"', isOld } of ownTables(features)) {
      if (isOld) await remove(table, key, isOld(now));
    }
  }
  return removed;
}

/**
 * The events of an organization that are old enough: up to a number, and before a time. Undefined if there are none.
 *
 * @param onJump gets the time of the event before a jump
 */
async function oldOnes(
  database: Database,
  organization: number,
  days: number,
  now: number,
  onJump: (time: string) => void,
): Promise<{ readonly last: number; readonly before: string } | undefined> {
  const ofOrganization = `from ${quote(events)} where ${quote(organizationColumn)} = ${organization} and "number"`;
  const before = (time: number, count: number): string => new Date(time - count * day).toISOString();
  const timeWhere = async (condition: string): Promise<string> => {
    const [[time = '9'] = []] = await database.query(`select "time" ${ofOrganization} ${condition} limit 1`);
    return String(time);
  };
  // Events of PostgreSQL that no request has read have no number.
  while ((await timeWhere('is null order by "noted_at"')) < before(now, 1)) await numberNew(database, organization);
  const [[first, newest] = []] = await database.query(`select min("number"), max("number") ${ofOrganization} > 0`);
  /** The last event before a time, and the time of the next: numbers and times rise together, unless a clock was set. */
  const lastBefore = async (limit: string): Promise<{ number: number; time: string; next: string } | undefined> => {
    const found = { number: 0, time: '', next: new Date(now).toISOString() };
    for (let [low, high] = [Number(first), Number(newest)]; low <= high;) {
      // The first one tells whether there is any.
      const number = found.number > 0 ? Math.ceil((low + high) / 2) : low;
      const time = await timeWhere(`<= ${number} order by "number" desc`);
      if (time < limit) {
        Object.assign(found, { number, time });
        low = number + 1;
      } else {
        found.next = time;
        high = number - 1;
      }
    }
    return found.number > 0 ? found : undefined;
  };
  if (!(await lastBefore(before(now, days)))) return undefined;
  const latest = await lastBefore(before(now, 1));
  const last = latest && (await lastBefore(before(Date.parse(latest.time), days)));
  if (latest && !last && Date.parse(latest.next) - Date.parse(latest.time) > day) onJump(latest.time);
  if (!latest || !last) return undefined;
  return { last: Math.min(last.number, Number(newest) - 1), before: before(Date.parse(latest.time), days) };
}
