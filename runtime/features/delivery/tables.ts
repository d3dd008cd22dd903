import { organizationColumn, quote } from '../../kernel/sql/schema.ts';
import { day } from '../../kernel/values/time.ts';
import type { OwnTable } from '../../migrations/own-tables.ts';

/** The tables of the receivers, of what each of them got or is to get, and of what one process does for all servers. */
export const receivers = '_webhook';

export const deliveries = '_delivery';

export const leases = '_lease';

/** `filter` has resources and operations, separated by spaces; events up to `position` are queued. `why` it is off. */
const createReceivers = `create table ${quote(receivers)} (
  "id" text not null primary key,
  ${quote(organizationColumn)} bigint not null,
  "url" text not null,
  "secret" text not null,
  "filter" text not null,
  "state" text not null,
  "why" text,
  "position" bigint not null,
  "created_at" text not null
)`;

/**
 * Times are in milliseconds. `at` is the time of the next attempt, `never` behind another delivery of the record that waits; of a
 * delivery that is over, the time of its last attempt.
 */
const createDeliveries = `create table ${quote(deliveries)} (
  ${quote(organizationColumn)} bigint not null,
  "webhook" text not null,
  "event" bigint not null,
  "type" text not null,
  "record" text not null,
  "state" text not null,
  "attempts" bigint not null,
  "queued" bigint not null,
  "at" bigint not null,
  "answer" text,
  "duration" bigint,
  primary key (${quote(organizationColumn)}, "webhook", "event")
)`;

/** Indexes of deliveries: those that wait by their turn and by record, those that are over by their age. */
const deliveryIndexes = [
  ['by_turn', '"webhook", "at", "event"', '='],
  ['by_record', '"webhook", "record", "event"', '='],
  ['by_age', '"at"', '<>'],
].map(
  ([name, columns, is]) =>
    `create index "${deliveries}_${name}"\n  on ${quote(deliveries)} ` +
    `(${quote(organizationColumn)}, ${columns}) where "state" ${is} 'waiting'`,
);

/** `until` is in milliseconds. */
const createLeases = `create table ${quote(leases)} (
  "name" text not null primary key,
  "holder" text not null,
  "until" bigint not null
)`;

/** Milliseconds for which deliveries are kept that are over: a week. */
const deliveriesKept = 7 * day;

const isOver = (now: number): string => `"state" <> 'waiting' and "at" < ${now - deliveriesKept}`;

export const deliveryTables: readonly OwnTable[] = [
  { name: receivers, statements: [createReceivers] },
  { name: deliveries, statements: [createDeliveries, ...deliveryIndexes], key: '"webhook", "event"', isOld: isOver },
  { name: leases, statements: [createLeases] },
];
