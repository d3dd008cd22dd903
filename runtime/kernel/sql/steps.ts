import type { RowCounts } from './row-counters.ts';
import type { Round, Rows, Steps } from './types.ts';

/** Executes steps, each round by a function. */
export async function follow<T>(steps: Steps<T>, execute: (round: Round) => Promise<Rows> | Rows): Promise<T> {
  let step = steps.next([]);
  while (!step.done) step = steps.next(await execute(step.value));
  return step.value;
}

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
