import type { Value } from '../kernel/model/fields.ts';
import type { StoredType } from '../kernel/sql/values.ts';
import { pause } from '../kernel/model/wait.ts';
import { literal, organizationColumn, quote } from '../kernel/sql/schema.ts';
import type { Database } from './types.ts';
import { rowsPerSlice } from './limits.ts';
import { transact } from './transact.ts';

/** Reads all rows of a table, some at a time: the organization and id of each, and the values of these expressions. */
export async function* slicesOf(
  database: Database,
  table: string,
  expressions: readonly string[] = [],
): AsyncGenerator<unknown[][]> {
  const key = `${quote(organizationColumn)}, "id"`;
  const selected = [key, ...expressions].join(', ');
  for (let behind = ''; ;) {
    const rows = await database.query(
      `select ${selected} from ${quote(table)}${behind} order by ${key} limit ${rowsPerSlice}`,
    );
    const last = rows.at(-1);
    if (!last) return;
    yield rows;
    behind = ` where (${key}) > (${Number(last[0])}, ${literal(String(last[1]))})`;
  }
}

/** The value of a record that an engine returns: SQLite returns a boolean as a number, PostgreSQL all values as texts. */
export function readValue(value: unknown, { type }: StoredType): Value {
  if (value === null) return null;
  if (type === 'boolean') return value === 1 || value === 't';
  return type === 'bigint' || type === 'double precision' ? Number(value) : String(value);
}

/**
 * Runs a statement on slices of rows until there are no more.
 *
 * @param statement changes at most `rowsPerSlice` rows, and returns a row for each
 * @returns the number of rows
 */
export async function inSlices(database: Database, statement: string): Promise<number> {
  for (let rows = 0; ;) {
    const before = performance.now();
    const { length } = await transact(database, () => database.query(statement));
    rows += length;
    if (length < rowsPerSlice) return rows;
    // SQLite has no queue for its lock: others, who try again and again, get it in between.
    await pause(performance.now() - before);
  }
}
