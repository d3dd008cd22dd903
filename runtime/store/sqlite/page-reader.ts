import type { Dml, RowsSql, TableSql } from '../dml.ts';
import type { Page } from '../store.ts';
import type { PreparedStatements } from './prepared-statements.ts';

/** Rows that a page on the main thread may skip: that takes about 0.1 ms. */
export const deepOffset = 10_000;

/** The ids of a page. */
export interface FoundPage {
  /** The number of rows on all pages. */
  readonly total: number;
  readonly hasMore: boolean;
  readonly ids: readonly string[];
}

/** Reads the ids of pages from indexes alone. */
export class PageReader {
  readonly #dml: Dml;
  readonly #statements: PreparedStatements;

  constructor(dml: Dml, statements: PreparedStatements) {
    this.#dml = dml;
    this.#statements = statements;
  }

  /**
   * Finds a page, from the nearer end of the list. Returns undefined if the cursor is no line item of its list, and
   * `deep` if the page is further from both ends than `maxOffset`.
   */
  find(table: string, page: Page, maxOffset: number): FoundPage | 'deep' | undefined {
    const sql = this.#dml.of(table);
    const { limit, offset, after } = page;
    const rows = sql.rows(page);
    const total = Number(this.#statements.get(rows.total)?.[0]);
    if (after !== undefined) {
      if (!this.#hasCursor(sql, rows)) return undefined;
      // One more than the limit, for `hasMore`.
      const ids = this.#ids(sql, rows, limit + 1, 0);
      return { total, hasMore: ids.length > limit, ids: ids.slice(0, limit) };
    }
    const count = Math.max(0, Math.min(limit, total - offset));
    const following = Math.max(0, total - offset - count);
    if (Math.min(offset, following) > maxOffset) return 'deep';
    const ids =
      offset <= following
        ? this.#ids(sql, rows, limit, offset)
        : this.#ids(sql, sql.rows({ ...page, isReversed: true }), count, following).toReversed();
    return { total, hasMore: following > 0, ids };
  }

  /** Whether the line item of the cursor exists; true for records, whose cursor may be deleted. */
  #hasCursor(sql: TableSql, { cursorExists, values }: RowsSql): boolean {
    if (cursorExists === undefined) return true;
    return this.#statements.get(sql.statement(cursorExists, values, () => `select ${cursorExists}`))?.[0] === 1;
  }

  /** The ids of at most `limit` rows after the first `offset` ones. */
  #ids(sql: TableSql, { clause, values }: RowsSql, limit: number, offset: number): string[] {
    const next = values.length + 1;
    // The plus prevents SQLite from planning the statement again for each limit: https://sqlite.org/c3ref/expired.html
    const statement = sql.statement(
      `ids ${clause}`,
      [...values, limit, offset],
      () => `select "id" from ${sql.name}${clause} limit +?${next} offset +?${next + 1}`,
    );
    return this.#statements.all(statement).map(([id]) => id as string);
  }
}
