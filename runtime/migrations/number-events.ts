import { findUnnumbered, numberEvents } from '../sql/events.ts';
import type { Row, Statement } from '../sql/types.ts';
import type { Database } from './types.ts';
import { transact } from './transact.ts';

/** That of PostgreSQL: SQLite numbers each event as it is written. */
const dialect = { parameter: (n: number): string => `$${n}` };

/**
 * Gives events that have no number yet one: some of those that are committed.
 *
 * @returns whether there may be more
 */
export async function numberNew(database: Database, organization: number): Promise<boolean> {
  const run = async ({ text, values }: Statement): Promise<Row[]> => database.query(text, values as readonly number[]);
  if (database.isAtomic || (await run(findUnnumbered(dialect, organization))).length === 0) return false;
  return transact(database, async () => {
    const steps = numberEvents(dialect, organization);
    let step = steps.next();
    while (!step.done) {
      const rows: Row[][] = [];
      for (const statement of step.value.statements) rows.push(await run(statement));
      step = steps.next(rows);
    }
    return step.value;
  });
}
