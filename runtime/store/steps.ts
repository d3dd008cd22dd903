import type { Statement } from './dml.ts';
import type { WriteResult } from './store.ts';

/** A row as an engine returns it; PostgreSQL's values are strings. */
export type Row = readonly unknown[];

/** Statements that are sent together. Several statements are one transaction, which a round that `continues` leaves open. */
interface Round {
  readonly statements: readonly Statement[];
  /** The next round is in the same transaction, which is rolled back if the write ends instead. */
  readonly continues?: true;
  /** The write is already committed: a failure of this round neither fails nor repeats it. */
  readonly isCleanup?: true;
}

/** Work as rounds of statements: it yields each round and gets the rows of each statement back. */
export type Steps<T> = Generator<Round, T, readonly (readonly Row[])[]>;

export type WriteSteps = Steps<WriteResult>;
