import type { Dml, Statement } from '../sql/table-sql.ts';
import { changeCounter } from '../sql/row-counters.ts';
import type { OrganizationWrite, WriteResult } from '../records/store.ts';
import { stepsOf } from '../sql/writes.ts';
import { type Connection, type Row, statementName } from './connection.ts';

const begin: Statement = { text: 'begin', values: [] };
const commit: Statement = { text: 'commit', values: [] };

/** Executes one write. The statements of a round are sent together. If it fails, the caller rolls back. */
export async function runWrite(connection: Connection, dml: Dml, write: OrganizationWrite): Promise<WriteResult> {
  const steps = stepsOf(dml, write);
  const toNamed = ({ text, values }: Statement) => ({ text, values, name: statementName(text) });
  let isInTransaction = false;
  for (let rows: Row[][] = []; ;) {
    const { done, value } = steps.next(rows);
    if (done) {
      if (isInTransaction) await connection.query({ text: 'rollback' });
      return value;
    }
    const { keepsTransactionOpen = false, counts = [] } = value;
    const added = counts.flatMap(changeCounter);
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
