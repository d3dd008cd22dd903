import type { DatabaseSync } from 'node:sqlite';
import type { Write, WriteResult } from '../store.ts';
import { primaryCode } from './failure.ts';
import type { Statements } from './statements.ts';
import { Totals } from './totals.ts';
import { Writer } from './writer.ts';

/** Why a write was not done, as plain data: what SQLite said, and its code where it was SQLite. */
export interface Failure {
  readonly outcome: 'failed';
  readonly message: string;
  readonly errcode: number | undefined;
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

  constructor(database: DatabaseSync, of: (table: string) => Statements) {
    this.#database = database;
    this.#of = of;
    this.#totals = new Totals(database);
    this.#writer = new Writer(of, this.#totals);
  }

  /** Does the writes and says in their order what came of each; they are on the disk then, or not done. */
  commit(writes: readonly Write[]): (WriteResult | Failure)[] {
    try {
      this.#database.exec('begin immediate');
      const results = writes.map((write) => this.#apply(write));
      this.#totals.flush();
      this.#database.exec('commit');
      return results;
    } catch (error) {
      this.#totals.discard();
      if (this.#database.isTransaction) this.#database.exec('rollback');
      return writes.map(() => failure(error));
    }
  }

  /** Does one write of a group. One that fails leaves nothing behind and does not harm the others. */
  #apply(write: Write): WriteResult | Failure {
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
