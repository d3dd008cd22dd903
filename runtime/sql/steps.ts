import type { NewEvent } from './events.ts';
import type { CountChange, RowCounts } from './row-counters.ts';
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
  /** Stores the answer to the request, after these. */
  readonly answer?: Statement;
  /** The next round is in the same transaction, which is rolled back if the write ends instead. */
  readonly keepsTransactionOpen?: true;
}

/** Work as rounds of statements: it yields each round and gets the rows of each statement back. */
export type Steps<T> = Generator<Round, T, Rows>;

export type WriteSteps = Steps<WriteResult>;

/** Steps as parts of a transaction that goes on, and whose changes of row counters wait for its end. */
export function* within<T>(counts: RowCounts, all: readonly Steps<T>[]): Steps<T[]> {
  const results: T[] = [];
  let left = all.map((steps, at) => ({ steps, at, rows: [] as Rows }));
  for (;;) {
    const rounds = left.flatMap(({ steps, at, rows }) => {
      const { done, value } = steps.next(rows);
      if (!done) return [{ steps, at, round: value }];
      results[at] = value;
      return [];
    });
    if (rounds.length === 0) return results;
    const rowsByStatement = yield {
      statements: rounds.flatMap(({ round }) => round.statements),
      events: rounds.flatMap(({ round }) => round.events ?? []),
      keepsTransactionOpen: true,
    };
    let first = 0;
    left = rounds.map(({ steps, at, round: { statements, counts: changes = [] } }) => {
      for (const change of changes) counts.add(change);
      return { steps, at, rows: rowsByStatement.slice(first, (first += statements.length)) };
    });
  }
}
