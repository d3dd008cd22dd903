import type { Dml } from '../dml.ts';
import type { OrganizationWrite, WriteResult } from '../store.ts';
import { type Count, isCompound, type Row, stepsOf } from '../writes.ts';
import { lockTimeout } from './connection.ts';
import { busy, type Failure, failureOf, primaryCode } from './failure.ts';
import type { PreparedStatements } from './prepared-statements.ts';

/** The result of one write of a batch. */
export type Outcome = WriteResult | Failure;

export interface CommittedBatch {
  /** Of the first writes, in their order. */
  readonly outcomes: readonly Outcome[];
  /** The duration of the commit, which is mostly its fsync. */
  readonly milliseconds: number;
}

/** Commits batches of writes on one connection: each in one transaction, with one fsync. */
export class Committer {
  readonly #dml: Dml;
  readonly statements: PreparedStatements;
  /** The changes of row counters in this transaction, written once for each counter. */
  readonly #counts = new Map<string, Count>();

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
  commit(writes: readonly OrganizationWrite[], waits: boolean, maxDuration = Infinity): CommittedBatch | undefined {
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

  /** Executes one write of a batch. A failed write is undone and does not affect the others. */
  #apply(write: OrganizationWrite): Outcome {
    // SQLite undoes a failed statement by itself.
    const needsSavepoint = isCompound(this.#dml, write);
    try {
      if (!needsSavepoint) return this.#run(write);
      this.#writeCounts();
      this.statements.run('savepoint one');
      const result = this.#run(write);
      this.statements.run('release one');
      return result;
    } catch (error) {
      // A full or failing disk ends the transaction: the whole batch fails.
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
    for (let rows: Row[][] = []; ;) {
      const { done, value } = steps.next(rows);
      if (done) return value;
      rows = value.statements.map((statement) => this.statements.all(statement));
      for (const count of value.counts ?? []) this.#count(count);
    }
  }

  #count({ sql, parent, rows }: Count): void {
    const key = `${sql.organization} ${sql.table.name} ${parent}`;
    const sum = rows + (this.#counts.get(key)?.rows ?? 0);
    this.#counts.set(key, { sql, parent, rows: sum });
  }

  #writeCounts(): void {
    for (const { sql, parent, rows } of this.#counts.values()) {
      if (rows === 0) continue;
      for (const statement of sql.addToCounter(parent, rows)) this.statements.all(statement);
    }
    this.#counts.clear();
  }
}
