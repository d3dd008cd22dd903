import type { Dml } from '../sql/table-sql.ts';
import { RowCounts } from '../sql/row-counts.ts';
import type { OrganizationWrite, WriteResult } from '../records/store.ts';
import type { Row } from '../sql/steps.ts';
import { isCompound, stepsOf } from '../sql/writes.ts';
import { lockTimeout } from './connection.ts';
import { busy, type Failure, failureOf, interrupted, primaryCode } from './failure.ts';
import type { PreparedStatements } from './prepared-statements.ts';

/** Milliseconds after which a batch is given up: all other writes wait for it. */
const maxBatchDuration = 5_000;

/** The result of one write of a group. */
export type Outcome = WriteResult | Failure;

export interface CommittedGroup {
  /** The outcomes of the first writes, in their order. */
  readonly outcomes: readonly Outcome[];
  /** The duration of the commit, which is mostly its fsync. */
  readonly milliseconds: number;
}

/** Commits groups of writes on one connection: each in one transaction, with one fsync. */
export class Committer {
  readonly #dml: Dml;
  readonly statements: PreparedStatements;
  /** The changes of row counters in this transaction. */
  readonly #counts = new RowCounts();

  constructor(dml: Dml, statements: PreparedStatements) {
    this.#dml = dml;
    this.statements = statements;
  }

  /**
   * Commits writes: each is on the disk afterwards, or has failed.
   *
   * @param waits waits while another connection writes; otherwise nothing is committed then, and undefined is returned
   * @param maxDuration milliseconds after which the writes that are not begun are left out; at least one is done
   */
  commit(writes: readonly OrganizationWrite[], waits: boolean, maxDuration = Infinity): CommittedGroup | undefined {
    let isCommit = false;
    let begun = writes;
    try {
      if (!this.#begin(waits)) return undefined;
      const outcomes = this.#applyAll(writes, maxDuration);
      begun = writes.slice(0, outcomes.length);
      this.#writeCounts();
      const before = performance.now();
      isCommit = true;
      this.statements.run('commit');
      return { outcomes, milliseconds: performance.now() - before };
    } catch (error) {
      this.#counts.clear();
      this.statements.rollback();
      return { outcomes: begun.map(() => failureOf(error, isCommit)), milliseconds: 0 };
    }
  }

  #begin(waits: boolean): boolean {
    if (!waits) this.statements.run('pragma busy_timeout = 0');
    try {
      this.statements.run('begin immediate');
      return true;
    } catch (error) {
      if (!waits && primaryCode(error) === busy) return false;
      throw error;
    } finally {
      if (!waits) this.statements.run(`pragma busy_timeout = ${lockTimeout}`);
    }
  }

  #applyAll(writes: readonly OrganizationWrite[], maxDuration: number): readonly Outcome[] {
    const outcomes: Outcome[] = [];
    const end = performance.now() + maxDuration;
    for (const write of writes) {
      outcomes.push(this.#apply(write));
      if (performance.now() > end) break;
    }
    return outcomes;
  }

  /** Executes one write of a group. A failed write is undone and does not affect the others. */
  #apply(write: OrganizationWrite): Outcome {
    // SQLite undoes a failed statement by itself.
    const needsSavepoint = isCompound(this.#dml, write);
    try {
      if (!needsSavepoint) return this.#run(write);
      this.#writeCounts();
      this.statements.run('savepoint one');
      const result = this.#run(write);
      if (result.outcome === 'refused') this.statements.run('rollback to one');
      this.statements.run('release one');
      return result;
    } catch (error) {
      // A full or failing disk ends the transaction: the whole group fails.
      if (!this.statements.database.isTransaction) throw error;
      if (needsSavepoint) {
        this.#counts.clear();
        this.statements.run('rollback to one');
        this.statements.run('release one');
      }
      return failureOf(error);
    }
  }

  #run(write: OrganizationWrite): WriteResult {
    const steps = stepsOf(this.#dml, write);
    const end = write.op === 'batch' ? performance.now() + maxBatchDuration : Infinity;
    for (let rows: Row[][] = []; ;) {
      const { done, value } = steps.next(rows);
      if (done) return value;
      rows = value.statements.map((statement) => {
        if (performance.now() > end)
          throw Object.assign(new Error('The batch has taken too long.'), { errcode: interrupted });
        return this.statements.all(statement);
      });
      for (const count of value.counts ?? []) this.#counts.add(count);
    }
  }

  #writeCounts(): void {
    for (const { sql, ...change } of this.#counts.take()) {
      for (const statement of sql.changeCounter(change)) this.statements.all(statement);
    }
  }
}
