import { literal, quote } from './values.ts';

/**
 * The table of the row counters: one for each table of records, with an empty `parent`, and one for each parent of line
 * items. Counters change in the transaction of the write; each is the sum of its shards, so that writers need not queue.
 */
export const rowCounters = '_row_counter';

/**
 * The table of the columns, as `lead.name`, that are known to hold no null because their field is required, of those that are
 * known to have no more decimals than their scale, as `fine.amount.2`, of those whose date-times are all written as timestamps,
 * as `lead.seen_at date-time`, of those that hold no former name of a value, as `lead.stage values 2c26b46b68ff`, of unique ones whose `backfill` is stored in each row that held null, as `lead.code backfill`, and of
 * those whose folded texts are as this version folds, as `lead.email folded 2`: a start reads the rows of the others. The start of a
 * version whose field has no such rule removes its row.
 */
export const requiredColumns = '_required_column';

/** The table of the events: what each write did to a record. */
export const events = '_event';

/** The index of what a record was done: each version has one event. */
export const eventVersions = '_event_by_version';

/** The table of the responses to requests with an `Idempotency-Key`. */
export const answers = '_answer';

/** The table of the organizations. */
export const organizations = '_organization';

/** The table of the API keys: of each its digest, never the key itself. */
export const apiKeys = '_api_key';

/** The tables of the webhooks, of what each of them has sent or is to send, and of what one process does for all servers. */
export const webhooks = '_webhook';

export const deliveries = '_delivery';

export const leases = '_lease';

/** The column of each table that says which organization a row belongs to: the first one of its keys. */
export const organizationColumn = '_organization';

/** The organization that is there from the start, and its name, which it keeps. */
export const mainOrganization = 1;

export const mainName = 'main';

/** Whether a table is the service's own, or another program's like Litestream's: no name of a spec begins so. */
export const isHelperTable = (name: string): boolean => name.startsWith('_');

/** A row stays for ever, so that no id is used again. A deletion sets `deleted_at`, then removes the name. */
const createOrganizations = `create table ${quote(organizations)} (
  "id" bigint not null primary key,
  "name" text unique,
  "created_at" text,
  "deleted_at" text
)`;

const insertMain = `insert into ${quote(organizations)} values (${mainOrganization}, ${literal(mainName)}, null, null)`;

export const createRowCounters = `create table ${quote(rowCounters)} (
  ${quote(organizationColumn)} bigint not null,
  "table" text not null,
  "parent" text not null,
  "shard" bigint not null,
  "count" bigint not null,
  primary key (${quote(organizationColumn)}, "table", "parent", "shard")
)`;

const createRequiredColumns = `create table ${quote(requiredColumns)} (
  "name" text not null primary key
)`;

/** Found by its id. Scopes are separated by spaces, and times are in UTC. */
const createApiKeys = `create table ${quote(apiKeys)} (
  "id" text not null primary key,
  ${quote(organizationColumn)} bigint not null,
  "digest" text not null,
  "name" text not null,
  "scopes" text not null,
  "rate" text,
  "created_at" text not null,
  "expires_at" text,
  "revoked_at" text,
  "last_used_at" text
)`;

/** `filter` has resources and operations, separated by spaces; events up to `position` are queued. `why` it is off. */
const createWebhooks = `create table ${quote(webhooks)} (
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

/** If writers do not take turns, an event gets its number when it is first read: see `numberEvents`. Times are in UTC. */
const createEvents = [
  `create table ${quote(events)} (
  ${quote(organizationColumn)} bigint not null,
  "number" bigint,
  "noted_at" bigint,
  "time" text not null,
  "actor" text,
  "request_id" text,
  "operation" text not null,
  "resource" text not null,
  "record" text not null,
  "version" bigint not null,
  "changes" text not null
)`,
  `create unique index "_event_by_number" on ${quote(events)} (${quote(organizationColumn)}, "number")`,
  `create unique index ${quote(eventVersions)} on ${quote(events)} (${quote(organizationColumn)}, "record", "version")`,
  `create index "_event_unnumbered" on ${quote(events)} (${quote(organizationColumn)}, "noted_at") where "number" is null`,
];

/** The owner is a key, or a person. Times are in UTC. The answer is last: SQLite reads a long value to find what is behind it. */
const createAnswers = [
  `create table ${quote(answers)} (
  ${quote(organizationColumn)} bigint not null,
  "owner" text not null,
  "key" text not null,
  "digest" text not null,
  "time" text not null,
  "answer" text not null,
  primary key (${quote(organizationColumn)}, "owner", "key")
)`,
  `create index "_answer_by_time" on ${quote(answers)} (${quote(organizationColumn)}, "time")`,
];

/** The service's own tables with rows of organizations, and the columns by which these are found. */
export const ownedHelpers: Readonly<Record<string, string>> = {
  [rowCounters]: '"table", "parent", "shard"',
  [events]: '"record", "version"',
  [answers]: '"owner", "key"',
  [deliveries]: '"webhook", "event"',
};

/** The statements that create each of the service's own tables. */
export const helperTables: Readonly<Record<string, readonly string[]>> = {
  [organizations]: [createOrganizations, insertMain],
  [apiKeys]: [createApiKeys],
  [rowCounters]: [createRowCounters],
  [requiredColumns]: [createRequiredColumns],
  [webhooks]: [createWebhooks],
  [deliveries]: [createDeliveries, ...deliveryIndexes],
  [leases]: [createLeases],
  [events]: createEvents,
  [answers]: createAnswers,
};

/** The definitions of the columns of one of the service's own tables: each has a line of the statement that creates it. */
export const helperDefinitions = (name: string): string[] =>
  [...(helperTables[name]?.[0] ?? '').matchAll(/^ {2}(".*?),?$/gm)].map(([, definition = '']) => definition);
