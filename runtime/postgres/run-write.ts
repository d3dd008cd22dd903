import { type NewEvent, noteEvents } from '../sql/events.ts';
import type { Steps } from '../sql/steps.ts';
import type { Dml, Statement } from '../sql/table-sql.ts';
import { changeCounter } from '../sql/row-counters.ts';
import type { OrganizationWrite, WriteResult } from '../records/store.ts';
import { stepsOf } from '../sql/writes.ts';
import { type Connection, type Row, statementName } from './connection.ts';

const begin: Statement = { text: 'begin', values: [] };
const commit: Statement = { text: 'commit', values: [] };

/** Executes one write. If it fails, the caller rolls back. */
export const runWrite = (connection: Connection, dml: Dml, write: OrganizationWrite): Promise<WriteResult> =>
  runSteps(connection, stepsOf(dml, write), (events) =>
    noteEvents(dml.dialect, write.organization, write.origin, events),
  );

/** Executes steps: the statements of a round are sent together. If they fail, the caller rolls back. */
export async function runSteps<T>(
  connection: Connection,
  steps: Steps<T>,
  note: (events: readonly NewEvent[]) => readonly Statement[] = () => [],
): Promise<T> {
  const toNamed = ({ text, values }: Statement) => ({ text, values, name: statementName(text) });
  let isInTransaction = false;
  for (let rows: Row[][] = []; ;) {
    const { done, value } = steps.next(rows);
    if (done) {
      if (isInTransaction) await connection.query({ text: 'rollback' });
      return value;
    }
    const { keepsTransactionOpen = false, counts = [], events = [] } = value;
    const added = [...note(events), ...counts.flatMap(changeCounter)];
    const statements = [...value.statements, ...added].map(toNamed);
    const isAlone = !keepsTransactionOpen && (statements.length === 1 || connection.isAtomic(statements));
    const begins = !isInTransaction && !isAlone;
    const commits = (isInTransaction || begins) && !keepsTransactionOpen;
    const all = [...(begins ? [toNamed(begin)] : []), ...statements, ...(commits ? [toNamed(commit)] : [])];
    rows = await connection.queryAll(all);
    rows = rows.slice(begins ? 1 : 0, commits ? -1 : undefined);
    isInTransaction = keepsTransactionOpen;
  }
}
