import type { NewEvent } from './events.ts';
import type { CountChange } from './row-counters.ts';
import type { Statement } from './query-dialect.ts';
import type { WriteResult } from '../records/write.ts';

/** A row as an engine returns it; PostgreSQL's values are strings. */
export type Row = readonly unknown[];

/** The rows of several statements. */
export type Rows = readonly (readonly Row[])[];

/** Statements that are sent together. Several are one transaction. */
export interface Round {
  readonly statements: readonly Statement[];
  /** Changes of row counters, after the statements: the locks that most writers wait for are the last ones. */
  readonly counts?: readonly CountChange[];
  /** The events of the statements, which are stored after them. */
  readonly events?: readonly NewEvent[];
  /** The next round is in the same transaction, which is rolled back if the write ends instead. */
  readonly keepsTransactionOpen?: true;
}

/** Work as rounds of statements: it yields each round and gets the rows of each statement back. */
export type Steps<T> = Generator<Round, T, Rows>;

export type WriteSteps = Steps<WriteResult>;
