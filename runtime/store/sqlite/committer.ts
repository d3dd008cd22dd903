import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Write, WriteResult } from '../store.ts';
import { patience } from './connection.ts';
import { busy, primaryCode } from './failure.ts';
import type { Statements } from './statements.ts';
import { Totals } from './row-counters.ts';
import { Writer } from './writer.ts';

/** Why a write was not done, as plain data: what SQLite said, and its code where it was SQLite. */
export interface Failure {
  readonly outcome: 'failed';
  readonly message: string;
  readonly errcode: number | undefined;
}

/** What came of a write. */
export type Outcome = WriteResult | Failure;

/** What came of a group of writes, and how long it took until they were on the disk. */
export interface Committed {
  readonly outcomes: readonly Outcome[];
  readonly milliseconds: number;
}

const failure = (error: unknown): Failure => ({
  outcome: 'failed',
  message: error instanceof Error ? (error.stack ?? error.message) : String(error),
  errcode: primaryCode(error),
});

/** Commits groups of writes: one transaction and one fsync for all of a group. */
export class Committer {
  readonly #database: DatabaseSync;
  readonly #of: (table: string) => Statements;
  readonly #totals: Totals;
  readonly #writer: Writer;
  readonly #impatient: StatementSync;
  readonly #patient: StatementSync;

  constructor(database: DatabaseSync, of: (table: string) => Statements) {
    this.#database = database;
    this.#of = of;
    this.#totals = new Totals(database);
    this.#writer = new Writer(of, this.#totals);
    this.#impatient = database.prepare('pragma busy_timeout = 0');
    this.#patient = database.prepare(`pragma busy_timeout = ${patience}`);
  }

  /**
   * Does the writes, and says in their order what came of each: they are on the disk then, or not done. Where another
   * connection is writing, waits for it; or does nothing and gives undefined, for to wait would hold up this thread.
   */
  commit(writes: readonly Write[], waits: boolean): Committed | undefined {
    try {
      if (!this.#begin(waits)) return undefined;
      const outcomes = writes.map((write) => this.#apply(write));
      this.#totals.flush();
      const before = performance.now();
      this.#database.exec('commit');
      return { outcomes, milliseconds: performance.now() - before };
    } catch (error) {
      this.#totals.discard();
      if (this.#database.isTransaction) this.#database.exec('rollback');
      return { outcomes: writes.map(() => failure(error)), milliseconds: 0 };
    }
  }

  #begin(waits: boolean): boolean {
    if (!waits) this.#impatient.run();
    try {
      this.#database.exec('begin immediate');
      return true;
    } catch (error) {
      if (!waits && primaryCode(error) === busy) return false;
      throw error;
    } finally {
      if (!waits) this.#patient.run();
    }
  }

  /** Does one write of a group. One that fails leaves nothing behind and does not harm the others. */
  #apply(write: Write): Outcome {
    // SQLite undoes a failed statement by itself; only what takes several needs a savepoint.
    const several = write.op === 'reorder' || (write.op === 'delete' && this.#of(write.table).children.length > 0);
    try {
      if (several) this.#database.exec('savepoint one');
      const result = this.#writer.run(write);
      if (several) this.#database.exec('release one');
      return result;
    } catch (error) {
      // A full disk or a failing one ends the whole transaction: then all of the group fails.
      if (!this.#database.isTransaction) throw error;
      if (several) this.#database.exec('rollback to one; release one');
      return failure(error);
    }
  }
}
