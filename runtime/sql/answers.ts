import { answersKeptFor } from '../model/limits.ts';
import { isDone, type Once, type OrganizationWrite, type StoredAnswer, type WriteResult } from '../records/write.ts';
import { RowCounts } from './row-counters.ts';
import { quote } from './schema.ts';
import { answers, organizationColumn } from './helper-tables.ts';
import { type Row, within, type WriteSteps } from './steps.ts';
import type { QueryDialect, Statement } from './query-dialect.ts';

const keyColumns = [quote(organizationColumn), '"owner"', '"key"'];

const key = keyColumns.join(', ');

/** The time from which on answers are still given. @param time now */
export const keptSince = (time: string): string => new Date(Date.parse(time) - answersKeptFor).toISOString();

/** Claims the key of a request, and returns a row unless it has an answer. It waits for a transaction that has claimed it. */
function claimKey(dialect: QueryDialect, { organization, origin }: OrganizationWrite): Statement {
  const { owner, key: name, digest } = origin.once as Once;
  const values = [organization, owner, name, digest, '', origin.time, keptSince(origin.time)];
  const parameters = values.map((_, i) => dialect.parameter(i + 1));
  const replaced = ['digest', 'answer', 'time'].map((column) => `"${column}" = excluded."${column}"`);
  const text =
    `insert into ${answers} (${key}, "digest", "answer", "time") values (${parameters.slice(0, -1).join(', ')}) ` +
    `on conflict (${key}) do update set ${replaced.join(', ')} where ${answers}."time" < ${parameters.at(-1)} returning 1`;
  return { text, values };
}

/** Stores the answer to a request that has claimed its key. */
function storeAnswer(
  dialect: QueryDialect,
  { organization, origin }: OrganizationWrite,
  result: WriteResult,
): Statement {
  const { owner, key: name, ids } = origin.once as Once;
  const text = `update ${answers} set "answer" = ${dialect.parameter(4)} where ${ofKey(dialect)}`;
  return { text, values: [organization, owner, name, encodeAnswer({ result, ids })] };
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

/**
 * The steps of a write that is done once. The key is claimed first, so that a repetition waits before it has locked or done
 * anything, and the answer is stored in the same transaction.
 */
export function* stepsOnce(dialect: QueryDialect, write: OrganizationWrite, steps: WriteSteps): WriteSteps {
  const [[claimed] = []] = yield { statements: [claimKey(dialect, write)], keepsTransactionOpen: true };
  if (!claimed) return { outcome: 'repeated' };
  const counts = new RowCounts();
  const [result] = (yield* within(counts, [steps])) as [WriteResult];
  if (isDone(result)) yield { statements: [storeAnswer(dialect, write, result)], counts: counts.drain() };
  return result;
}
