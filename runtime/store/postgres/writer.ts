import type { Dml, Statement } from '../dml.ts';
import type { Write, WriteResult } from '../store.ts';
import { type Row, stepsOf } from '../writes.ts';
import type { Connection } from './connection.ts';
import type { StatementNames } from './statement-names.ts';

const begin: Statement = { text: 'begin', values: [] };
const commit: Statement = { text: 'commit', values: [] };

/** Executes the writes of a store. The statements of a round are sent together. */
export class Writer {
  readonly #dml: Dml;
  readonly #names: StatementNames;

  constructor(dml: Dml, names: StatementNames) {
    this.#dml = dml;
    this.#names = names;
  }

  /** Executes one write. If it fails, the caller rolls back. */
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

  /** Sends statements together. @throws the first failure, after all results */
  async #pipeline(connection: Connection, statements: readonly Statement[]): Promise<Row[][]> {
    const answers = statements.map((statement) => this.#query(connection, statement));
    // For a single statement, Promise.all does the same.
    if (answers.length > 1) await Promise.allSettled(answers);
    return Promise.all(answers);
  }

  #query(connection: Connection, { text, values }: Statement): Promise<Row[]> {
    const isControl = text === begin.text || text === commit.text;
    return connection.query({ text, name: isControl ? undefined : this.#names.of(text) }, values);
  }
}
