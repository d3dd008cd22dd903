import type { NewEvent, Rows, Statement, Steps } from '../../kernel/sql/types.ts';
import type { Dml } from '../../kernel/sql/dml.ts';
import { changeCounter } from '../../kernel/sql/row-counters.ts';
import { unavailable } from '../../kernel/model/errors.ts';
import { maxEntries } from '../../kernel/model/limits.ts';
import type { OrganizationWrite, WriteResult } from '../../kernel/records/write.ts';
import { stepsOf } from '../../kernel/sql/writes.ts';
import type { Connection, Row } from './connection.ts';
import { isOutcomeUnknown } from './failure.ts';

const begin: Statement = { text: 'begin', values: [] };
const commit: Statement = { text: 'commit', values: [] };

/** Executes one write. If it fails, the caller rolls back. */
export const runWrite = (connection: Connection, dml: Dml, write: OrganizationWrite): Promise<WriteResult> =>
  runSteps(connection, paced(stepsOf(dml, write)), (events) => dml.noteEvents(write, events));

/** Steps with few events in each round, as making them takes some milliseconds: other requests have their turns between them. */
function* paced<T>(steps: Steps<T>): Steps<T> {
  for (let rows: Rows = []; ;) {
    const { done, value } = steps.next(rows);
    if (done) return value;
    const { events = [], counts = [], keepsTransactionOpen, ...round } = value;
    if (events.length <= maxEntries) {
      rows = yield value;
      continue;
    }
    rows = yield { ...round, keepsTransactionOpen: true };
    for (let at = 0; at < events.length; at += maxEntries) {
      const some = events.slice(at, at + maxEntries);
      yield { statements: [], events: some, keepsTransactionOpen: true };
    }
    yield { statements: [], counts, ...(keepsTransactionOpen && { keepsTransactionOpen }) };
  }
}

/** The steps of statements that are one transaction. */
export function* inOneRound(statements: readonly Statement[]): Steps<Rows> {
  return yield { statements };
}

/** Executes steps: the statements of a round are sent together. If they fail, the caller rolls back. */
export async function runSteps<T>(
  connection: Connection,
  steps: Steps<T>,
  note: (events: readonly NewEvent[]) => readonly Statement[] = () => [],
): Promise<T> {
  let isInTransaction = false;
  for (let rows: Row[][] = []; ;) {
    const { done, value } = steps.next(rows);
    if (done) {
      if (isInTransaction) await connection.query('rollback');
      return value;
    }
    const { keepsTransactionOpen = false, counts = [], events = [], answer } = value;
    const added = [...note(events), ...(answer ? [answer] : []), ...counts.flatMap(changeCounter)];
    const statements = [...value.statements, ...added];
    const isAlone = !keepsTransactionOpen && (statements.length === 1 || connection.isAtomic);
    const begins = !isInTransaction && !isAlone;
    const commits = (isInTransaction || begins) && !keepsTransactionOpen;
    const sent = connection.queryAll([...(begins ? [begin] : []), ...statements, ...(commits ? [commit] : [])]);
    rows = await (keepsTransactionOpen ? sent.catch(throwUncommitted) : sent);
    rows = rows.slice(begins ? 1 : 0, commits ? -1 : undefined);
    isInTransaction = keepsTransactionOpen;
  }
}

/** @throws ApiError `unavailable`, where the error alone would leave it unknown whether the write was done */
function throwUncommitted(error: unknown): never {
  throw isOutcomeUnknown(error)
    ? unavailable('The database did not finish the write: nothing was done.', error)
    : error;
}
