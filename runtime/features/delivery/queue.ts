import type { Database } from '../../migrations/types.ts';
import { rowsPerSlice } from '../../migrations/limits.ts';
import { maxWaiting } from '../../kernel/records/limits.ts';
import { transact } from '../../migrations/transact.ts';
import { numberNew } from '../trail/number-events.ts';
import { eventJson, shownColumns } from '../trail/events.ts';
import { literal, organizationColumn, quote } from '../../kernel/sql/schema.ts';
import { deliveries, receivers } from './tables.ts';
import { events } from '../trail/event-table.ts';
import { hour, minute, second } from '../../kernel/values/time.ts';
import type { Outcome } from './courier.ts';
import type { Receiver } from './receivers.ts';

/** An event for a receiver. */
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

/** Milliseconds between the attempts of a delivery, three days in all: each pause is twice the one before, up to six hours. */
const retryPauses = Array.from({ length: 24 }, (_, retry) => Math.min(3 * second * 2 ** retry, 6 * hour));

/** Milliseconds: events that were noted before are committed, and the look before has seen them. */
const stirredSince = 10 * minute;

const organization = quote(organizationColumn);
const table = quote(deliveries);

/** The time of the next attempt of a delivery behind another one of its record. */
export const never = Number.MAX_SAFE_INTEGER;

/** A condition: the deliveries of a receiver. */
export const ofReceiver = (receiver: Pick<Receiver, 'id' | 'organization'>): string =>
  `${organization} = ${receiver.organization} and "webhook" = ${literal(receiver.id)}`;

/** A condition: an id is that of none of these receivers. */
const isNoneOf = (id: string, excluded: readonly Pick<Receiver, 'id'>[]): string =>
  `${id} not in (${['', ...excluded.map((receiver) => receiver.id)].map(literal).join(', ')})`;

/** The time of the database in milliseconds: clocks of servers may differ. */
export async function timeOf(database: Database): Promise<number> {
  if (database.isAtomic) return Date.now();
  const [[time] = []] = await database.query('select floor(extract(epoch from now()) * 1000)');
  return Number(time);
}

/**
 * The receivers with events to be queued or deliveries that are due, but for the busy ones, of which it would read very many.
 *
 * It is one statement for all organizations, and so reads all nodes of Citus: there it needs joins, as Citus takes no correlated
 * subquery of a table that is on each node.
 */
export async function findStirred(
  database: Database,
  busy: readonly Pick<Receiver, 'id'>[],
  now: number,
): Promise<ReadonlySet<unknown>> {
  const isQuiet = `_receiver."state" = 'on' and ${isNoneOf('_receiver."id"', busy)}`;
  const having = (rows: string, condition: string): string =>
    `select _receiver."id" from ${quote(receivers)} as _receiver join ${quote(rows)} as _row ` +
    `on _row.${organization} = _receiver.${organization} and ${condition} where ${isQuiet}`;
  const found = await database.query(
    [
      having(events, '_row."number" = _receiver."position" + 1'),
      // All were numbered a moment ago. A range of times makes the rest seem as few as they are.
      having(events, `_row."number" is null and _row."noted_at" > ${(now - stirredSince) * 1_000}`),
      having(deliveries, `_row."webhook" = _receiver."id" and _row."state" = 'waiting' and _row."at" <= ${now}`),
    ].join(' union '),
  );
  return new Set(found.map(([id]) => id));
}

/** A condition for the events that a receiver is to get. */
const matches = ({ filter }: Receiver): string =>
  filter
    .split(' ')
    .map((one) => {
      const [resource = '', operation] = one.split(':');
      const isOf = `"resource" = ${literal(resource)}`;
      return operation === undefined ? isOf : `(${isOf} and "operation" = ${literal(operation)})`;
    })
    .join(' or ');

/**
 * Queues the next events for a receiver, each once.
 *
 * @returns whether there may be more
 */
export async function queueEvents(database: Database, receiver: Receiver, now: number): Promise<boolean> {
  const isMore = await numberNew(database, receiver.organization);
  const behind = `${quote(events)} where ${organization} = ${receiver.organization} and "number" > ${receiver.position}`;
  const slice = `select "number" from ${behind} order by "number" limit ${rowsPerSlice}`;
  const [[last, count] = []] = await database.query(`select max("number"), count(*) from (${slice}) as _slice`);
  if (Number(count) === 0) return isMore;
  const move =
    `update ${quote(receivers)} set "position" = ${Number(last)} ` +
    `where "id" = ${literal(receiver.id)} and "state" = 'on' and "position" = ${receiver.position} returning 1`;
  const found =
    `select "number", "resource" || '.' || "operation" as "type", "record", ` +
    `row_number() over (partition by "record" order by "number") as "place" ` +
    `from ${behind} and "number" <= ${Number(last)} and (${matches(receiver)})`;
  const before = `select 1 from ${table} as _before where ${ofReceiver(receiver)} and "state" = 'waiting' and _before."record" = _found."record"`;
  const insert =
    `insert into ${table} select ${receiver.organization}, ${literal(receiver.id)}, "number", "type", "record", 'waiting', 0, ${now}, ` +
    `case when "place" = 1 and not exists (${before}) then ${now} else ${never} end, null, null from (${found}) as _found`;
  await transact(database, async () => {
    // Someone else has queued them, or it was paused.
    if ((await database.query(move)).length > 0) await database.query(insert);
  });
  return isMore || Number(count) === rowsPerSlice;
}

/**
 * The message about an event; undefined if the event was removed, or is longer.
 *
 * @param maxBytes of its changes
 */
export async function readMessage(
  database: Database,
  owner: number,
  { event, type }: Pick<Delivery, 'event' | 'type'>,
  maxBytes?: number,
): Promise<string | undefined> {
  const isShort = maxBytes === undefined ? '' : ` and octet_length("changes") <= ${maxBytes}`;
  const [row] = await database.query(
    `select "time", ${shownColumns} from ${quote(events)} ` +
      `where ${organization} = ${owner} and "number" = ${event}${isShort}`,
  );
  if (!row) return undefined;
  const [time, ...shown] = row;
  return `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(time)},"data":${eventJson(shown)}}`;
}

/** The next deliveries of a receiver, each of another record. */
export async function dueDeliveries(database: Database, receiver: Receiver, now: number): Promise<Delivery[]> {
  const rows = await database.query(
    `select "event", "type", "record", "attempts" from ${table} ` +
      `where ${ofReceiver(receiver)} and "state" = 'waiting' and "at" <= ${now} order by "at", "event" limit ${rowsPerSlice}`,
  );
  return rows.map(([event, type, record, attempts]) => ({
    ...({ type, record } as Pick<Delivery, 'type' | 'record'>),
    event: Number(event),
    attempts: Number(attempts),
  }));
}

/**
 * Stores the results of attempts, all or none. A delivery that failed is tried again later, and before all that follow it about its record.
 *
 * @returns why the receiver is off from now on; undefined if it is not
 */
export const storeResults = (
  database: Database,
  receiver: Receiver,
  results: readonly Result[],
  now: number,
): Promise<string | undefined> =>
  transact(database, async () => {
    const given = results.map(({ event, state, attempts, answer, duration }) => {
      const at = now + (state === 'waiting' ? (retryPauses[attempts] ?? 0) : 0);
      return `(${[event, state, at, answer, duration].map(literal).join(', ')})`;
    });
    // Each row is found by its key: the condition on `state` fits no other index, whose statistics may be old.
    const isWaiting = `coalesce(${table}."state", '') = 'waiting'`;
    await database.query(
      `with _given("number", "state", "at", "answer", "duration") as (values ${given.join(', ')}) ` +
        `update ${table} set "state" = _given."state", "attempts" = "attempts" + 1, "at" = _given."at", ` +
        `"answer" = _given."answer", "duration" = _given."duration" from _given where ${ofReceiver(receiver)} ` +
        `and "event" in (${results.map(({ event }) => event).join(', ')}) and "event" = _given."number" and ${isWaiting}`,
    );
    const records = results.flatMap(({ state, record }) => (state === 'waiting' ? [] : `(${literal(record)})`));
    const first = `select min("event") from ${table} as _next where ${ofReceiver(receiver)} and "state" = 'waiting' and _next."record" = _ended."record"`;
    if (records.length > 0)
      await database.query(
        `with _ended("record") as (values ${records.join(', ')}) update ${table} set "at" = ${now} ` +
          `where ${ofReceiver(receiver)} and "event" in (select (${first}) from _ended) and "at" in (0, ${never}) and ${isWaiting}`,
      );
    const last = results.find(({ state, attempts }) => state === 'waiting' && attempts >= retryPauses.length);
    return last && switchOff(database, receiver, last);
  });

async function switchOff(database: Database, { id }: Receiver, { event, answer, attempts }: Result): Promise<string> {
  const why = `event ${event} was not delivered in ${attempts + 1} attempts, the last one: ${answer}`;
  await database.query(
    `update ${quote(receivers)} set "state" = 'off', "why" = ${literal(why)} where "id" = ${literal(id)} and "state" = 'on'`,
  );
  return why;
}

/** The deliveries that wait, but for those of some receivers, up to a limit, and when the oldest of them was queued. */
export async function countWaiting(
  database: Database,
  excluded: readonly Receiver[],
): Promise<{ count: number; oldest: number }> {
  const isCounted = isNoneOf('"webhook"', excluded);
  const waiting = `select "queued" from ${table} where "state" = 'waiting' and ${isCounted} limit ${maxWaiting}`;
  const [[count, oldest] = []] = await database.query(`select count(*), min("queued") from (${waiting}) as _waiting`);
  return { count: Number(count), oldest: oldest === null ? Infinity : Number(oldest) };
}
