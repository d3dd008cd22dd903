import { organizationColumn, quote } from '../../kernel/sql/schema.ts';
import type { FeatureCode } from '../../kernel/model/error-codes.ts';
import type { OwnTable } from '../../migrations/own-tables.ts';

/** The table of the events: what each write did to a record. */
export const events = '_event';

/** The index of what a record was done: each version has one event. */
const eventVersions = '_event_by_version';

/** If writers do not take turns, an event gets its number when it is first read: see `numberEvents`. Times are in UTC. */
export const eventTable: OwnTable = {
  name: events,
  statements: [
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
  ],
  key: '"record", "version"',
  identity: eventVersions,
};

export const eventsRemoved = {
  code: 'events_removed',
  status: 410,
  title: 'Events removed',
  meaning: 'Events behind the number of `after` or `Last-Event-ID` were removed, as they were too old.',
  remedy: 'Read the records anew, and ask for the events from `first_number` on: they are behind the number before it.',
} as const satisfies FeatureCode;
