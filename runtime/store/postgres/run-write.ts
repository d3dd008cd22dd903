import type { Dml } from '../dml.ts';
import type { OrganizationWrite, WriteResult } from '../store.ts';
import { stepsOf } from '../writes.ts';
import type { Connection, Row } from './connection.ts';
import type { StatementNames } from './statement-names.ts';

/** Executes one write. The statements of a round are sent together. If it fails, the caller rolls back. */
export async function runWrite(
  connection: Connection,
  dml: Dml,
  names: StatementNames,
  write: OrganizationWrite,
): Promise<WriteResult> {
  const steps = stepsOf(dml, write);
  let isInTransaction = false;
  for (let rows: Row[][] = []; ;) {
    const { done, value } = steps.next(rows);
    if (done) {
      if (isInTransaction) await connection.query({ text: 'rollback' });
      return value;
    }
    const { statements, continues = false, isCleanup = false } = value;
    const begins = !isInTransaction && (continues || statements.length > 1);
    const commits = (isInTransaction || begins) && !continues;
    const answers = [
      ...(begins ? [connection.query({ text: 'begin' })] : []),
      ...statements.map(({ text, values }) => connection.query({ text, name: names.of(text) }, values)),
      ...(commits ? [connection.query({ text: 'commit' })] : []),
    ];
    // A failure is thrown after all results. For a single statement, Promise.all does the same.
    if (answers.length > 1) await Promise.allSettled(answers);
    const results = Promise.all(answers);
    rows = await (isCleanup ? results.catch(() => []) : results);
    rows = rows.slice(begins ? 1 : 0, commits ? -1 : undefined);
    isInTransaction = continues;
  }
}
