import type { Dml, Rows } from '../dml.ts';
import type { Page } from '../store.ts';
import type { PreparedStatements } from './prepared-statements.ts';

/** Rows that a page on the main thread may skip: that takes about 0.1 ms. */
export const deepOffset = 10_000;

/** Reads the ids of pages from indexes alone. */
export class PageReader {
  readonly #dml: Dml;
  readonly #statements: PreparedStatements;

  constructor(dml: Dml, statements: PreparedStatements) {
    this.#dml = dml;
    this.#statements = statements;
  }

  /** The number of rows on all pages. */
  total(table: string, rows: Rows): number {
    return Number(this.#statements.get(this.#dml.of(table).rows(rows).total)?.[0]);
  }

  /** Whether the line item of the cursor exists; true for records, whose cursor may be deleted. */
  hasCursor(table: string, rows: Rows): boolean {
    const sql = this.#dml.of(table);
    const { cursorExists, values } = sql.rows(rows);
    if (cursorExists === undefined) return true;
    return this.#statements.get(sql.statement(cursorExists, values, () => `select ${cursorExists}`))?.[0] === 1;
  }

  /** The ids of at most `limit` rows after the first `offset` ones. */
  ids(table: string, rows: Rows, limit: number, offset: number): string[] {
    const sql = this.#dml.of(table);
    const { clause, values } = sql.rows(rows);
    const next = values.length + 1;
    // The plus prevents SQLite from planning the statement again for each limit: https://sqlite.org/c3ref/expired.html
    const statement = sql.statement(
      `ids ${clause}`,
      [...values, limit, offset],
      () => `select "id" from ${sql.name}${clause} limit +?${next} offset +?${next + 1}`,
    );
    return this.#statements.all(statement).map(([id]) => id as string);
  }

  /**
   * The ids of a page, read from the nearer end of the list. With an offset, the first id is that of the record before the
   * page.
   *
   * @param total the number of rows
   */
  page(table: string, page: Page, total: number): string[] {
    const { limit, offset } = page;
    const { isReversed, skip, count } = fromNearerEnd(total, limit, offset);
    const rows = { ...page, isReversed };
    const before = offset > 0 ? 1 : 0;
    return isReversed
      ? this.ids(table, rows, count + before, skip).toReversed()
      : this.ids(table, rows, limit + before, skip - before);
  }
}

/** The way to a page that skips the fewest rows: the direction, the rows to skip, and the rows of the page. */
export function fromNearerEnd(
  total: number,
  limit: number,
  offset: number,
): { isReversed: boolean; skip: number; count: number } {
  const count = Math.max(0, Math.min(limit, total - offset));
  const after = Math.max(0, total - offset - count);
  return offset <= after ? { isReversed: false, skip: offset, count } : { isReversed: true, skip: after, count };
}
