import { answersKeptFor } from '../model/limits.ts';
import type { NewEvent } from './events.ts';
import { isDone, type Once, type OrganizationWrite, type StoredAnswer, type WriteResult } from '../records/store.ts';
import type { CountChange } from './row-counters.ts';
import { answers, organizationColumn, quote } from './schema.ts';
import type { Row, WriteSteps } from './steps.ts';
import type { QueryDialect, Statement } from './table-sql.ts';

const key = `${quote(organizationColumn)}, "owner", "key"`;

/** The time from which on answers are still given. @param time now */
export const keptSince = (time: string): string => new Date(Date.parse(time) - answersKeptFor).toISOString();

/** Stores the answer to a request, and returns a row, unless there is one: it waits for a transaction that is storing one. */
function storeAnswer(
  dialect: QueryDialect,
  { organization, origin }: OrganizationWrite,
  result: WriteResult,
): Statement {
  const { owner, key: name, digest, ids } = origin.once as Once;
  const answer = JSON.stringify({ result, ids });
  const values = [organization, owner, name, digest, answer, origin.time, keptSince(origin.time)];
  const parameters = values.map((_, i) => dialect.parameter(i + 1));
  const replaced = ['digest', 'answer', 'time'].map((column) => `"${column}" = excluded."${column}"`);
  const text =
    `insert into ${answers} (${key}, "digest", "answer", "time") values (${parameters.slice(0, -1).join(', ')}) ` +
    `on conflict (${key}) do update set ${replaced.join(', ')} where ${answers}."time" < ${parameters.at(-1)} returning 1`;
  return { text, values };
}

export const selectAnswer = (
  dialect: QueryDialect,
  organization: number,
  { owner, key: name }: Once,
  time: string,
) => ({
  text:
    `select "digest", "answer" from ${answers} where ${quote(organizationColumn)} = ${dialect.parameter(1)} ` +
    `and "owner" = ${dialect.parameter(2)} and "key" = ${dialect.parameter(3)} and "time" >= ${dialect.parameter(4)}`,
  values: [organization, owner, name, keptSince(time)],
});

export const storedAnswer = ([digest, answer]: Row): StoredAnswer => ({
  digest: String(digest),
  ...(JSON.parse(String(answer)) as Pick<StoredAnswer, 'result' | 'ids'>),
});

/** The steps of a write that is done once: if it is done, its answer is stored in its transaction, or it is undone. */
export function* stepsOnce(dialect: QueryDialect, write: OrganizationWrite, steps: WriteSteps): WriteSteps {
  const counts: CountChange[] = [];
  const events: NewEvent[] = [];
  for (let rows: readonly (readonly Row[])[] = []; ;) {
    const { done, value } = steps.next(rows);
    if (!done) {
      counts.push(...(value.counts ?? []));
      events.push(...(value.events ?? []));
      rows = yield { statements: value.statements, keepsTransactionOpen: true };
      continue;
    }
    if (!isDone(value)) return value;
    const [[first] = []] = yield { statements: [storeAnswer(dialect, write, value)], keepsTransactionOpen: true };
    if (!first) return { outcome: 'repeated' };
    yield { statements: [], counts, events };
    return value;
  }
}
