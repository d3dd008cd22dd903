import { answersKeptFor } from '../model/limits.ts';
import type { Value } from '../model/fields.ts';
import {
  type Effect,
  isDone,
  type KeptEffect,
  type Once,
  type OrganizationWrite,
  type SingleWrite,
  type StoredAnswer,
  type Write,
  type WriteResult,
} from '../records/write.ts';
import type { Dml } from './dml.ts';
import { hasEvents } from './events.ts';
import { RowCounts } from './row-counters.ts';
import { quote } from './schema.ts';
import { answers, organizationColumn } from './helper-tables.ts';
import type { Row, Statement, Steps, WriteSteps } from './types.ts';
import { within } from './steps.ts';
import type { QueryDialect } from './query-dialect.ts';

const keyColumns = [quote(organizationColumn), '"owner"', '"key"'];

const key = keyColumns.join(', ');

/** The time from which on answers are still given. @param time now */
export const keptSince = (time: string): string => new Date(Date.parse(time) - answersKeptFor).toISOString();

/** Stores the answer to a request. @param clash what follows if there is one with its key: otherwise that is an error */
function insertAnswer(
  dialect: QueryDialect,
  { organization, origin }: OrganizationWrite,
  answer: string,
  clash = '',
  more: readonly Value[] = [],
): Statement {
  const { owner, key: name, digest } = origin.once as Once;
  const values = [organization, owner, name, digest, origin.time, answer];
  const parameters = values.map((_, i) => dialect.parameter(i + 1)).join(', ');
  const text = `insert into ${answers} (${key}, "digest", "time", "answer") values (${parameters})${clash}`;
  return { text, values: [...values, ...more] };
}

const replacing = ` on conflict (${key}) do update set ${['digest', 'time', 'answer'].map((column) => `"${column}" = excluded."${column}"`).join(', ')}`;

/** Returns a row unless the request has an answer. It claims the key if several write: it waits for a transaction that has claimed it. */
function claimKey(dialect: QueryDialect, write: OrganizationWrite): Statement {
  const { organization, origin } = write;
  const since = keptSince(origin.time);
  if (dialect.lock.exclusive !== '') {
    const isOld = `${replacing} where ${answers}."time" < ${dialect.parameter(7)} returning 1`;
    return insertAnswer(dialect, write, '', isOld, [since]);
  }
  const { owner, key: name } = origin.once as Once;
  const stored = `select 1 from ${answers} where ${ofKey(dialect)} and "time" >= ${dialect.parameter(4)}`;
  return { text: `select 1 where not exists (${stored})`, values: [organization, owner, name, since] };
}

const ofKey = (dialect: QueryDialect): string =>
  keyColumns.map((column, i) => `${column} = ${dialect.parameter(i + 1)}`).join(' and ');

export const selectAnswer = (
  dialect: QueryDialect,
  organization: number,
  { owner, key: name }: Once,
  time: string,
  maxBytes = 2 ** 31 - 1,
): Statement => {
  const answer = `case when octet_length("answer") <= ${dialect.parameter(5)} then "answer" end`;
  return {
    text: `select "digest", ${answer} from ${answers} where ${ofKey(dialect)} and "time" >= ${dialect.parameter(4)}`,
    values: [organization, owner, name, keptSince(time), maxBytes],
  };
};

export const storedAnswer = ([digest, answer]: Row): StoredAnswer => ({
  digest: String(digest),
  answer: typeof answer === 'string' ? decodeAnswer(answer) : undefined,
});

type Answer = NonNullable<StoredAnswer['answer']>;

/** The members of results that hold the JSON of records. */
const longMembers = new Set(['json', 'items']);

/** The text of an answer: its JSON with the lengths of the records, and behind it their JSON, which no write makes or parses again. */
function encodeAnswer(answer: Answer): string {
  const records: string[] = [];
  const head = JSON.stringify(answer, (name, value: unknown) => {
    if (typeof value !== 'string' || !longMembers.has(name)) return value;
    records.push(value);
    return value.length;
  });
  return [`${head}\n`, ...records].join('');
}

function decodeAnswer(text: string): Answer {
  let at = text.indexOf('\n') + 1;
  return JSON.parse(text.slice(0, at), (name, value: unknown) =>
    typeof value === 'number' && longMembers.has(name) ? text.slice(at, (at += value)) : value,
  ) as Answer;
}

/** The answer to a write: instead of the JSON of a record whose events are noted, it has the version. */
function answerOf(dml: Dml, write: OrganizationWrite, result: WriteResult): string {
  const { ids } = write.origin.once as Once;
  const kept = (effect: Effect, part: Write): KeptEffect => {
    const { table } = dml.of(part.table, write.organization);
    if (effect.outcome !== 'written' || !hasEvents(table)) return effect;
    const id = String(part.op === 'insert' ? part.values[0] : 'id' in part && part.id);
    return { outcome: 'written', table: table.name, id, version: effect.version };
  };
  if (result.outcome !== 'done') return encodeAnswer({ result: kept(result as Effect, write), ids });
  const { writes = [], hidden = [] } = write.op === 'batch' ? write : {};
  const shown = writes.filter((_, i) => !hidden.includes(i));
  const results = result.results.map((effect, i) => kept(effect, shown[i] as SingleWrite));
  return encodeAnswer({ result: { outcome: 'done', results }, ids });
}

/**
 * The steps of a write that is done once. The key is claimed first, so that a repetition waits before it has locked or done
 * anything, and the answer is stored in the same transaction. The answer to a create is known before: where a clash is an error,
 * it is stored at once.
 */
export function* stepsOnce(dml: Dml, write: OrganizationWrite, steps: WriteSteps): WriteSteps {
  const { dialect } = dml;
  if (write.op === 'insert' && !dialect.skipsClashes && hasEvents(dml.of(write.table, write.organization).table)) {
    const { version = 1 } = write;
    const answer = answerOf(dml, write, { outcome: 'written', json: '', version });
    return yield* behind(insertAnswer(dialect, write, answer), steps);
  }
  const [[isFree] = []] = yield { statements: [claimKey(dialect, write)], keepsTransactionOpen: true };
  if (!isFree) return { outcome: 'repeated' };
  const counts = new RowCounts();
  const [result] = (yield* within(counts, [steps])) as [WriteResult];
  if (isDone(result)) {
    const answer = insertAnswer(dialect, write, answerOf(dml, write, result), replacing);
    yield { statements: [], answer, counts: counts.drain() };
  }
  return result;
}

/** Steps with one more statement, which returns no rows, in front of their first round. */
function* behind<T>(first: Statement, steps: Steps<T>): Steps<T> {
  let step = steps.next([]);
  if (step.done) return step.value;
  const [, ...rows] = yield { ...step.value, statements: [first, ...step.value.statements] };
  for (step = steps.next(rows); !step.done;) step = steps.next(yield step.value);
  return step.value;
}
