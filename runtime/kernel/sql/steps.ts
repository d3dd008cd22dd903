import { RowCounts } from './row-counters.ts';
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

/**
 * Steps one after the other, which end a transaction. The last round of each is sent with the first one of the next.
 *
 * @param all each is made when the last round of those before it is known
 * @param take takes each result; false refuses the write: the others are not done
 */
export function* chained<T>(all: Iterable<Steps<T>>, take: (result: T, at: number) => boolean): Steps<void> {
  const counts = new RowCounts();
  /** Steps whose last rounds are still to be sent. */
  let held: { readonly steps: Steps<T>; readonly round: Round; readonly at: number }[] = [];
  function* send(round: Round): Steps<Rows> {
    const rounds = [...held.map((one) => one.round), round];
    for (const change of rounds.flatMap((one) => one.counts ?? [])) counts.add(change);
    const rows = yield {
      statements: rounds.flatMap(({ statements }) => statements),
      events: rounds.flatMap(({ events = [] }) => events),
      ...(round.keepsTransactionOpen ? { keepsTransactionOpen: true } : { counts: counts.drain() }),
    };
    let first = 0;
    for (const { steps, round: one, at } of held) {
      const { done, value } = steps.next(rows.slice(first, (first += one.statements.length)));
      if (!done) throw new Error('The last round of a write did not end it.');
      take(value, at);
    }
    held = [];
    return rows.slice(first);
  }
  let at = 0;
  for (const steps of all) {
    let step = steps.next([]);
    while (!step.done && step.value.keepsTransactionOpen) step = steps.next(yield* send(step.value));
    if (!step.done) held.push({ steps, round: step.value, at });
    else if (!take(step.value, at)) {
      // A held round may fail for a reason that comes first.
      if (held.length > 0) yield* send({ statements: [], keepsTransactionOpen: true });
      return;
    }
    at++;
  }
  yield* send({ statements: [] });
}
