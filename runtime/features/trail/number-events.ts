import { findUnnumbered, numberEvents } from './events.ts';
import { follow } from '../../kernel/sql/steps.ts';
import type { Row, Statement } from '../../kernel/sql/types.ts';
import type { Database } from '../../migrations/types.ts';
import { transact } from '../../migrations/transact.ts';

/**
 * Gives events that have no number yet one: some of those that are committed.
 *
 * @returns whether there may be more
 */
export async function numberNew(database: Database, organization: number): Promise<boolean> {
  const { dialect } = database;
  const run = async ({ text, values }: Statement): Promise<Row[]> => database.query(text, values as readonly number[]);
  // SQLite numbers each event as it is written.
  if (database.isAtomic || (await run(findUnnumbered(dialect, organization))).length === 0) return false;
  return transact(database, () =>
    follow(numberEvents(dialect, organization), async ({ statements }) => {
      const rows: Row[][] = [];
      for (const statement of statements) rows.push(await run(statement));
      return rows;
    }),
  );
}
