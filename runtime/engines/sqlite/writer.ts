import type { Dml } from '../../kernel/sql/dml.ts';
import type { Row, Statement } from '../../kernel/sql/types.ts';
import { changeCounter, RowCounts } from '../../kernel/sql/row-counters.ts';
import { isDone, type OrganizationWrite, type WriteResult } from '../../kernel/records/write.ts';
import { isCompound, stepsOf } from '../../kernel/sql/writes.ts';
import { type Failure, failureOf, primaryCode, resultCodes } from './failure.ts';
import { lockTimeout, maxBatchDuration, maxGroupDuration } from './limits.ts';
import type { PreparedStatements } from './prepared-statements.ts';

/** The result of one write of a group. */
export type Outcome = WriteResult | Failure;

export interface CommittedGroup {
  /** The outcomes of the first writes, in their order. */
  readonly outcomes: readonly Outcome[];
  /** The duration of the commit, which is mostly its fsync. */
  readonly milliseconds: number;
}

/** Commits groups of writes on one connection. */
export class Writer {
  readonly #dml: Dml;
  readonly #statements: PreparedStatements;
  /** The changes of row counters in this transaction. */
  readonly #counts = new RowCounts();
  /** Statements that note the events of this transaction, and store its answers. */
  #notes: Statement[] = [];
  /** The requests whose answers are among them. */
  readonly #answered = new Set<string>();

  constructor(dml: Dml, statements: PreparedStatements) {
    this.#dml = dml;
    this.#statements = statements;
  }

  /**
   * Does writes in one transaction, with one fsync. The last ones are left out if the time is over: they have no outcome.
   *
   * @param waits waits while another connection writes; otherwise nothing is done then, and undefined is returned
   * @throws the error of SQLite if the group failed as a whole; see `isUnconfirmed`
   */
  commitGroup(writes: readonly OrganizationWrite[], waits: boolean): CommittedGroup | undefined {
    let isUnconfirmed = false;
    try {
      if (!this.#begin(waits)) return undefined;
      const outcomes = this.#applyAll(writes);
      this.#writeEffects();
      const before = performance.now();
      isUnconfirmed = true;
      this.#statements.run('commit');
      return { outcomes, milliseconds: performance.now() - before };
    } catch (error) {
      this.#forgetEffects();
      this.#statements.rollback();
      // SQLite has rolled it back, but if its fsync failed, the commit is complete in the write-ahead log: a start after a crash
      // would redo it (https://www.sqlite.org/fileformat2.html#the_write_ahead_log). On a full disk it is not complete.
      throw Object.assign(error as Error, { isUnconfirmed: isUnconfirmed && primaryCode(error) !== resultCodes.full });
    }
  }

  #begin(waits: boolean): boolean {
    // That of reads.
    this.#statements.rollback();
    if (!waits) this.#statements.run('pragma busy_timeout = 0');
    try {
      this.#statements.run('begin immediate');
      return true;
    } catch (error) {
      if (!waits && primaryCode(error) === resultCodes.busy) return false;
      throw error;
    } finally {
      if (!waits) this.#statements.run(`pragma busy_timeout = ${lockTimeout}`);
    }
  }

  #applyAll(writes: readonly OrganizationWrite[]): readonly Outcome[] {
    const outcomes: Outcome[] = [];
    const end = performance.now() + maxGroupDuration;
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
    // If these fail, so do the writes before, and with them the group.
    if (needsSavepoint || this.#answered.has(requestOf(write))) this.#writeEffects();
    try {
      if (!needsSavepoint) return this.#run(write, (notes) => this.#notes.push(...notes));
      this.#statements.run('savepoint one');
      const result = this.#run(write, (notes) => notes.forEach((note) => this.#statements.all(note)));
      if (!isDone(result)) this.#statements.run('rollback to one');
      this.#statements.run('release one');
      return result;
    } catch (error) {
      // A full or failing disk ends the transaction: the whole group fails.
      if (!this.#statements.database.isTransaction) throw error;
      if (needsSavepoint) {
        this.#forgetEffects();
        this.#statements.run('rollback to one');
        this.#statements.run('release one');
      }
      return failureOf(error);
    }
  }

  /** @param note gets the statements that store events and answers: what SQLite undoes by itself stores them when it is done */
  #run(write: OrganizationWrite, note: (statements: readonly Statement[]) => unknown): WriteResult {
    const steps = stepsOf(this.#dml, write);
    const end = write.op === 'batch' ? performance.now() + maxBatchDuration : Infinity;
    for (let rows: Row[][] = []; ;) {
      const { done, value } = steps.next(rows);
      if (done) return value;
      rows = value.statements.map((statement) => {
        if (performance.now() > end)
          throw Object.assign(new Error('The batch has taken too long.'), { errcode: resultCodes.interrupted });
        return this.#statements.all(statement);
      });
      for (const count of value.counts ?? []) this.#counts.add(count);
      note(this.#dml.noteEvents(write, value.events ?? []));
      if (!value.answer) continue;
      note([value.answer]);
      this.#answered.add(requestOf(write));
    }
  }

  #writeEffects(): void {
    const statements = [...this.#counts.drain().flatMap(changeCounter), ...this.#notes];
    this.#forgetEffects();
    for (const statement of statements) this.#statements.all(statement);
  }

  #forgetEffects(): void {
    this.#counts.clear();
    this.#notes = [];
    this.#answered.clear();
  }
}

/** Names a request that is done once. */
const requestOf = ({ organization, origin: { once } }: OrganizationWrite): string =>
  once ? JSON.stringify([organization, once.owner, once.key]) : '';
