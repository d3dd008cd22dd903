import { answersKeptFor } from '../../kernel/model/limits.ts';
import { literal, organizationColumn, quote } from '../../kernel/sql/schema.ts';
import type { OwnTable } from '../../migrations/own-tables.ts';

/** The table of the responses to requests with an `Idempotency-Key`. */
export const answers = '_answer';

/** The time from which on answers are still given. @param time now */
export const keptSince = (time: string): string => new Date(Date.parse(time) - answersKeptFor).toISOString();

/** The owner is a key, or a person. Times are in UTC. The answer is last: SQLite reads a long value to find what is behind it. */
export const answerTable: OwnTable = {
  name: answers,
  statements: [
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
  ],
  key: '"owner", "key"',
  isOld: (now) => `"time" < ${literal(keptSince(new Date(now).toISOString()))}`,
};
