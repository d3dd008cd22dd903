import { answers, keptSince } from './answer-table.ts';
import type { Value } from '../../kernel/model/fields.ts';
import {
  type Effect,
  isDone,
  type Once,
  type OrganizationWrite,
  type SingleWrite,
  type Write,
  type WriteResult,
} from '../../kernel/records/write.ts';
import type { Records } from '../../kernel/records/store.ts';
import type { Dml } from '../../kernel/sql/dml.ts';
import { hasEvents } from '../../kernel/sql/changes.ts';
import { RowCounts } from '../../kernel/sql/row-counters.ts';
import { organizationColumn, quote } from '../../kernel/sql/schema.ts';
import type { Read, Statement, Steps, WriteSteps } from '../../kernel/sql/types.ts';
import { within } from '../../kernel/sql/steps.ts';
import type { QueryDialect } from '../../kernel/sql/query-dialect.ts';
import type { WritePart } from '../../kernel/sql/write-part.ts';
import type { FeatureCode } from '../../kernel/model/error-codes.ts';

export const keyInUse = {
  code: 'idempotency_key_in_use',
  behind: 'idx_exhausted',
  status: 409,
  title: 'Idempotency key in use',
  meaning: 'The first request with this `Idempotency-Key` is still under way.',
  remedy: 'Wait for the seconds in `Retry-After`, then send the request again with the same key.',
} as const satisfies FeatureCode;

export const keyReused = {
  code: 'idempotency_key_reused',
  status: 422,
  title: 'Idempotency key reused',
  meaning: 'Another request was sent with this `Idempotency-Key` within 24 hours. Nothing was done.',
  remedy: 'Send a new key with each new request, and the same one only with the same request.',
} as const satisfies FeatureCode;

/** Bytes of a stored answer that is read at once beside other requests. */
const maxShortAnswer = 65_536;

/** An effect as an answer keeps it: instead of the JSON of a record, the version that the record had. */
export type KeptEffect =
  Effect | { readonly outcome: 'written'; readonly table: string; readonly id: string; readonly version: number };

/** The digest of the request that was done; its result and ids, unless they are too long. */
export interface StoredAnswer extends Pick<Once, 'digest'> {
  readonly answer:
    | (Pick<Once, 'ids'> & {
        readonly result: KeptEffect | { readonly outcome: 'done'; readonly results: readonly KeptEffect[] };
      })
    | undefined;
}

const keyColumns = [quote(organizationColumn), '"owner"', '"key"'];

const key = keyColumns.join(', ');

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

const selectAnswer = (
  dialect: QueryDialect,
  organization: number,
  { owner, key: name }: Once,
  time: string,
  maxBytes: number,
): Statement => {
  const answer = `case when octet_length("answer") <= ${dialect.parameter(5)} then "answer" end`;
  return {
    text: `select "digest", ${answer} from ${answers} where ${ofKey(dialect)} and "time" >= ${dialect.parameter(4)}`,
    values: [organization, owner, name, keptSince(time), maxBytes],
  };
};

const answerRead: Read<[once: Once, time: string, maxBytes: number], StoredAnswer | undefined> = {
  *steps({ dialect }, ...request): Steps<StoredAnswer | undefined> {
    const [[row] = []] = yield { statements: [selectAnswer(dialect, ...request)] };
    if (!row) return undefined;
    const [digest, answer] = row;
    return { digest: String(digest), answer: typeof answer === 'string' ? decodeAnswer(answer) : undefined };
  },
};

/** The answer to a request that was done at most a day before this time: of one that is stored in more bytes only the digest. */
export async function readAnswer(
  records: Records,
  once: Once,
  time: string,
  maxBytes = 2 ** 31 - 1,
): Promise<StoredAnswer | undefined> {
  const stored = await records.ask({ ...answerRead, isQuick: true }, once, time, Math.min(maxBytes, maxShortAnswer));
  if (!stored || stored.answer || maxBytes <= maxShortAnswer) return stored;
  return records.ask(answerRead, once, time, maxBytes);
}

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
function* stepsOnce(dml: Dml, write: OrganizationWrite, steps: WriteSteps): WriteSteps {
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

/** The answer to a write of a request that is done once. */
export const keptAnswers: WritePart = {
  around: (dml, write, steps) => (write.origin.once ? stepsOnce(dml, write, steps) : undefined),
};
