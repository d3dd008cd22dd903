import type { Dml, Rows } from '../dml.ts';
import type { Page } from '../store.ts';
import type { PreparedStatements } from './prepared-statements.ts';

/** Rows that a page may skip on the main thread: about 0.1 ms of work. */
export const deepOffset = 10_000;

/** Finds the ids of pages, from indexes alone. */
export class PageReader {
  readonly #dml: Dml;
  readonly #statements: PreparedStatements;

  constructor(dml: Dml, statements: PreparedStatements) {
    this.#dml = dml;
    this.#statements = statements;
  }

  /** How many rows there are on all pages together. */
  total(table: string, rows: Rows): number {
    return Number(this.#statements.get(this.#dml.of(table).rows(rows).total)?.[0]);
  }

  /** Whether the cursor belongs to the rows; of records it need not be there. */
  hasCursor(table: string, rows: Rows): boolean {
    const sql = this.#dml.of(table);
    const { cursorExists, values } = sql.rows(rows);
    if (cursorExists === undefined) return true;
    return this.#statements.get(sql.statement(cursorExists, values, () => `select ${cursorExists}`))?.[0] === 1;
  }

  /** The ids of so many rows, behind the first `offset` ones. */
  ids(table: string, rows: Rows, limit: number, offset: number): string[] {
    const sql = this.#dml.of(table);
    const { clause, values } = sql.rows(rows);
    const next = values.length + 1;
    // The plus keeps SQLite from planning the statement again for each limit: https://sqlite.org/c3ref/expired.html
    const statement = sql.statement(
      `ids ${clause}`,
      [...values, limit, offset],
      () => `select "id" from ${sql.name}${clause} limit +?${next} offset +?${next + 1}`,
    );
    return this.#statements.all(statement).map(([id]) => id as string);
  }

  /**
   * The ids of a page, found from the nearer end of the list. Where it has an offset, that of the record before it comes
   * first.
   *
   * @param total how many rows there are
   */
  page(table: string, { where, limit, offset }: Page, total: number): string[] {
    const { isReversed, skip, count } = fromNearerEnd(total, limit, offset);
    const rows = { ...(where && { where }), isReversed };
    const before = offset > 0 ? 1 : 0;
    return isReversed
      ? this.ids(table, rows, count + before, skip).toReversed()
      : this.ids(table, rows, limit + before, skip - before);
  }
}

/** How a page is reached with the fewest rows skipped: from which end, behind how many rows, and how many it has. */
export function fromNearerEnd(
  total: number,
  limit: number,
  offset: number,
): { isReversed: boolean; skip: number; count: number } {
  const count = Math.max(0, Math.min(limit, total - offset));
  const behind = Math.max(0, total - offset - count);
  return offset <= behind ? { isReversed: false, skip: offset, count } : { isReversed: true, skip: behind, count };
}
