import type { Statement, TableSql } from './table-sql.ts';
import type { WriteResult } from '../records/store.ts';

/** A row as an engine returns it; PostgreSQL's values are strings. */
export type Row = readonly unknown[];

/** Statements that are sent together. Several statements are one transaction, which a round that `continues` leaves open. */
interface StatementBatch {
  readonly statements: readonly Statement[];
  /** Changes of row counters, after the statements: the locks that most writers wait for are the last ones. */
  readonly counts?: readonly Count[];
  /** The next round is in the same transaction, which is rolled back if the write ends instead. */
  readonly keepsTransactionOpen?: true;
}

/** A change of the row counter of a parent; that of a table of records has an empty one. */
export interface Count {
  readonly sql: TableSql;
  readonly parent: string;
  /** The number that is added. */
  readonly rows: number;
  /** Whether it begins at 0 again: the rows that it counted are deleted. */
  readonly isReset?: boolean;
}

/** Work as rounds of statements: it yields each round and gets the rows of each statement back. */
export type WritePlan<T> = Generator<StatementBatch, T, readonly (readonly Row[])[]>;

export type WriteSteps = WritePlan<WriteResult>;
