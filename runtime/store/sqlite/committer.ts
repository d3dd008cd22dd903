import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Value } from '../../schema/fields.ts';
import type { Dml, Statement } from '../dml.ts';
import type { Write, WriteResult } from '../store.ts';
import { isCompound, type Row, stepsOf } from '../writes.ts';
import { lockTimeout } from './connection.ts';
import { busy, type Failure, failureOf, primaryCode } from './failure.ts';
import type { PreparedStatements } from './prepared-statements.ts';
import { RowCounters } from './row-counters.ts';

/** The result of one write of a batch. */
export type Outcome = WriteResult | Failure;

export interface CommittedBatch {
  /** In the order of the writes. */
  readonly outcomes: readonly Outcome[];
  /** The duration of the commit, which is mostly its fsync. */
  readonly milliseconds: number;
}

/** Commits batches of writes on one connection: each in one transaction, with one fsync. */
export class Committer {
  readonly #database: DatabaseSync;
  readonly #dml: Dml;
  readonly #statements: PreparedStatements;
  readonly #counters: RowCounters;
  readonly #dontWait: StatementSync;
  readonly #wait: StatementSync;

  constructor(database: DatabaseSync, dml: Dml, statements: PreparedStatements) {
    this.#database = database;
    this.#dml = dml;
    this.#statements = statements;
    this.#counters = new RowCounters(database);
    this.#dontWait = database.prepare('pragma busy_timeout = 0');
    this.#wait = database.prepare(`pragma busy_timeout = ${lockTimeout}`);
  }

  /**
   * Commits writes: each is on the disk afterwards, or has failed.
   *
   * @param waits waits while another connection writes; otherwise nothing is committed then, and undefined is returned
   */
  commit(writes: readonly Write[], waits: boolean): CommittedBatch | undefined {
    try {
      if (!this.#begin(waits)) return undefined;
      const outcomes = writes.map((write) => this.#apply(write));
      this.#counters.flush();
      const before = performance.now();
      this.#database.exec('commit');
      return { outcomes, milliseconds: performance.now() - before };
    } catch (error) {
      this.#counters.discard();
      if (this.#database.isTransaction) this.#database.exec('rollback');
      return { outcomes: writes.map(() => failureOf(error)), milliseconds: 0 };
    }
  }

  #begin(waits: boolean): boolean {
    if (!waits) this.#dontWait.run();
    try {
      this.#database.exec('begin immediate');
      return true;
    } catch (error) {
      if (!waits && primaryCode(error) === busy) return false;
      throw error;
    } finally {
      if (!waits) this.#wait.run();
    }
  }

  /** Executes one write of a batch. A failed write is undone and does not affect the others. */
  #apply(write: Write): Outcome {
    // SQLite undoes a failed statement by itself.
    const needsSavepoint = isCompound(this.#dml, write);
    try {
      if (!needsSavepoint) return this.#run(write);
      this.#counters.flush();
      this.#database.exec('savepoint one');
      const result = this.#run(write);
      this.#database.exec('release one');
      return result;
    } catch (error) {
      // A full or failing disk ends the transaction: the whole batch fails.
      if (!this.#database.isTransaction) throw error;
      if (needsSavepoint) {
        this.#counters.discard();
        this.#database.exec('rollback to one; release one');
      }
      return failureOf(error);
    }
  }

  #run(write: Write): WriteResult {
    const steps = stepsOf(this.#dml, write);
    for (let rows: Row[][] = []; ;) {
      const { done, value } = steps.next(rows);
      if (done) return value;
      rows = value.statements.map((statement) => this.#execute(statement));
    }
  }

  #execute(statement: Statement): Row[] {
    const rows = this.#statements.all(statement);
    const { counts } = statement;
    if (counts) for (const [, parent] of rows) this.#counters.add(counts.table, parent as Value, counts.rows);
    return rows;
  }
}
