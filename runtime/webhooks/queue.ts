import { type Database, transact } from '../migrations/driver.ts';
import { deliveries, literal, organizationColumn, quote, webhooks } from '../sql/schema.ts';
import { eventsOf, numberNew } from './events.ts';
import { eventsPerSlice, keptFor, maxCounted, maxTaken, retryPauses } from './limits.ts';
import type { Outcome } from './post.ts';

export interface Webhook {
  readonly id: string;
  readonly organization: number;
  readonly url: string;
  readonly secret: string;
  readonly filter: string;
  /** The number of the last event that was queued. */
  readonly position: number;
}

/** An event for a webhook. */
export interface Delivery {
  /** Its number. */
  readonly event: number;
  /** Like `crm/lead.create`. */
  readonly type: string;
  readonly record: string;
  /** Attempts that have failed. */
  readonly attempts: number;
}

export type Result = Delivery & Outcome;

const organization = quote(organizationColumn);
const table = quote(deliveries);

/** A condition: the deliveries of a webhook. */
export const ofWebhook = (webhook: Pick<Webhook, 'id' | 'organization'>): string =>
  `${organization} = ${webhook.organization} and "webhook" = ${literal(webhook.id)}`;

/** The time of the database in milliseconds: clocks of servers may differ. */
export async function timeOf(database: Database): Promise<number> {
  if (database.isAtomic) return Date.now();
  const [[time] = []] = await database.query('select floor(extract(epoch from now()) * 1000)');
  return Number(time);
}

/** The webhooks that are neither paused nor off. */
export async function listActive(database: Database): Promise<Webhook[]> {
  const rows = await database.query(
    `select "id", ${organization}, "url", "secret", "filter", "position" from ${quote(webhooks)} where "state" = 'on'`,
  );
  return rows.map(([id, owner, url, secret, filter, position]) => ({
    ...({ id, url, secret, filter } as Pick<Webhook, 'id' | 'url' | 'secret' | 'filter'>),
    organization: Number(owner),
    position: Number(position),
  }));
}

/** Whether there is any webhook, also one that is paused. */
export const hasWebhooks = async (database: Database): Promise<boolean> =>
  (await database.query(`select 1 from ${quote(webhooks)} limit 1`)).length > 0;

/** A condition for the events that a webhook is to get. */
const matches = ({ filter }: Webhook): string =>
  filter
    .split(' ')
    .map((one) => {
      const [resource = '', operation] = one.split(':');
      const isOf = `"resource" = ${literal(resource)}`;
      return operation === undefined ? isOf : `(${isOf} and "operation" = ${literal(operation)})`;
    })
    .join(' or ');

/** The time of a delivery that waits behind those of its record before it: never before theirs. */
export const timeBehind = (delivery: string): string =>
  `coalesce((select max(_before."at") from ${table} as _before where _before.${organization} = ${delivery}.${organization} ` +
  `and _before."webhook" = ${delivery}."webhook" and _before."record" = ${delivery}."record" ` +
  `and _before."state" = 'waiting' and _before."event" < ${delivery}."event"), 0)`;

/**
 * Queues the next events for a webhook, each once.
 *
 * @returns whether there may be more
 */
export async function queueEvents(database: Database, webhook: Webhook, now: number): Promise<boolean> {
  const isMore = await numberNew(database, webhook.organization);
  const behind = `${eventsOf(webhook.organization)} and "number" > ${webhook.position}`;
  const slice = `select "number" from ${behind} order by "number" limit ${eventsPerSlice}`;
  const [[last, count] = []] = await database.query(`select max("number"), count(*) from (${slice}) as _slice`);
  if (Number(count) === 0) return isMore;
  const move =
    `update ${quote(webhooks)} set "position" = ${Number(last)} ` +
    `where "id" = ${literal(webhook.id)} and "state" = 'on' and "position" = ${webhook.position} returning 1`;
  const found =
    `select ${organization}, ${literal(webhook.id)} as "webhook", "number" as "event", ` +
    `"resource" || '.' || "operation" as "type", "record" ` +
    `from ${behind} and "number" <= ${Number(last)} and (${matches(webhook)})`;
  const insert =
    `insert into ${table} select ${organization}, "webhook", "event", "type", "record", ` +
    `'waiting', 0, ${now}, ${timeBehind('_found')}, null, null from (${found}) as _found where true on conflict do nothing`;
  await transact(database, async () => {
    // Someone else has queued them, or it was paused.
    if ((await database.query(move)).length === 0) return;
    await database.query(insert);
  });
  return isMore || Number(count) === eventsPerSlice;
}

/** The next deliveries of a webhook: retries that are due, then the oldest others. The deliveries of a record are in the order of its events. */
export async function dueDeliveries(database: Database, webhook: Webhook, now: number): Promise<Delivery[]> {
  const found: Delivery[] = [];
  for (const range of [`"at" > 0 and "at" <= ${now}`, '"at" = 0']) {
    const rows = await database.query(
      `select "event", "type", "record", "attempts" from ${table} ` +
        `where ${ofWebhook(webhook)} and "state" = 'waiting' and ${range} order by "at", "event" limit ${maxTaken}`,
    );
    for (const [event, type, record, attempts] of rows) {
      found.push({ event: Number(event), type: String(type), record: String(record), attempts: Number(attempts) });
    }
  }
  return found;
}

/**
 * Stores the results of attempts, all or none. Those that failed are tried again later, with all behind them of their records.
 *
 * @returns why the webhook is off from now on; undefined if it is not
 */
export const storeResults = (
  database: Database,
  webhook: Webhook,
  results: readonly Result[],
  now: number,
): Promise<string | undefined> =>
  transact(database, async () => {
    // SQLite finds each row by its key, and does not compare all that wait with all results.
    const set = (state: string, of: readonly Result[]): string =>
      `with _given("number", "answer", "duration") as (values ${of.map(valuesOf).join(', ')}) ` +
      `update ${table} set "state" = '${state}', "attempts" = "attempts" + 1, "at" = ${now}, "answer" = _given."answer", ` +
      `"duration" = _given."duration" from _given ` +
      `where ${ofWebhook(webhook)} and "event" in (${of.map(({ event }) => event).join(', ')}) ` +
      `and "event" = _given."number" and coalesce("state", '') = 'waiting'`;
    const { delivered, gone, failed = [] } = Object.groupBy(results, ({ outcome }) => outcome);
    if (delivered) await database.query(set('delivered', delivered));
    if (gone) await database.query(set('failed', gone));
    let why: string | undefined;
    for (const [attempts, same] of Map.groupBy(failed, (result) => result.attempts)) {
      const pause = retryPauses[attempts];
      await database.query(set(pause === undefined ? 'failed' : 'waiting', same));
      if (pause === undefined) why = await switchOff(database, webhook, same[0] as Result);
      else await database.query(postpone(webhook, same, now + pause));
    }
    return why;
  });

/** A statement: deliveries of the records of these results are not attempted before a time. The sum keeps the index of turns out. */
const postpone = (webhook: Webhook, results: readonly Result[], time: number): string =>
  `update ${table} set "at" = ${time} where ${ofWebhook(webhook)} and "state" = 'waiting' and "at" + 0 < ${time} ` +
  `and "record" in (${results.map(({ record }) => literal(record)).join(', ')})`;

const valuesOf = ({ event, answer, duration }: Result): string =>
  `(${[event, answer, duration].map(literal).join(', ')})`;

async function switchOff(database: Database, { id }: Webhook, { event, answer, attempts }: Result): Promise<string> {
  const why = `event ${event} was not delivered in ${attempts + 1} attempts, the last one: ${answer}`;
  await database.query(
    `update ${quote(webhooks)} set "state" = 'off', "why" = ${literal(why)} where "id" = ${literal(id)} and "state" = 'on'`,
  );
  return why;
}

/** Removes deliveries that arrived long ago, a slice of them. @returns whether there may be more */
export async function removeDelivered(database: Database, webhook: Webhook, now: number): Promise<boolean> {
  const slice =
    `select "event" from ${table} where ${ofWebhook(webhook)} and "state" = 'delivered' and "at" < ${now - keptFor} ` +
    `order by "at" limit ${maxTaken}`;
  const removed = await database.query(
    `delete from ${table} where ${ofWebhook(webhook)} and "event" in (${slice}) returning 1`,
  );
  return removed.length === maxTaken;
}

/** The deliveries of a webhook that wait, up to a limit, and when the oldest of them was queued. */
export async function countWaiting(database: Database, webhook: Webhook): Promise<{ count: number; oldest: number }> {
  const waiting =
    `select "queued" from ${table} where ${ofWebhook(webhook)} and "state" = 'waiting' ` +
    `order by "at", "event" limit ${maxCounted}`;
  const [[count, oldest] = []] = await database.query(`select count(*), min("queued") from (${waiting}) as _waiting`);
  return { count: Number(count), oldest: oldest === null ? Infinity : Number(oldest) };
}
