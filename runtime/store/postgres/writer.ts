import type { Dml, Statement } from '../dml.ts';
import type { Write, WriteResult } from '../store.ts';
import { type Row, stepsOf } from '../writes.ts';
import type { Connection } from './connection.ts';
import type { StatementNames } from './statement-names.ts';

const begin: Statement = { text: 'begin', values: [] };
const commit: Statement = { text: 'commit', values: [] };

/** Does the writes of a store. What takes several statements is sent in one go where one does not depend on another. */
export class Writer {
  readonly #dml: Dml;
  readonly #names: StatementNames;

  constructor(dml: Dml, names: StatementNames) {
    this.#dml = dml;
    this.#names = names;
  }

  /** Does one write, or says why it cannot be done. After a failure nothing of it is done, unless that is not known. */
  async run(connection: Connection, write: Write): Promise<WriteResult> {
    const steps = stepsOf(this.#dml, write);
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
      const sent = [...(begins ? [begin] : []), ...statements, ...(commits ? [commit] : [])];
      const answers = this.#pipeline(connection, sent);
      rows = isCleanup ? await answers.catch(() => []) : await answers;
      rows = rows.slice(begins ? 1 : 0, commits ? -1 : undefined);
      isInTransaction = continues;
    }
  }

  /** Sends statements in one go. @throws the first failure, when all have been answered. */
  async #pipeline(connection: Connection, statements: readonly Statement[]): Promise<Row[][]> {
    const answers = await Promise.allSettled(
      statements.map((statement) => {
        const { text, values } = statement;
        const name = statement === begin || statement === commit ? undefined : this.#names.of(text);
        return connection.query({ text, ...(name !== undefined && { name }) }, values);
      }),
    );
    return answers.map((answer) => {
      if (answer.status === 'rejected') throw answer.reason;
      return answer.value;
    });
  }
}
