import type { RowsSql, TableSql } from '../dml.ts';
import type { Listing, Page } from '../store.ts';
import type { PreparedStatements } from './prepared-statements.ts';

/** The ids of a page. */
export interface FoundPage extends Pick<Listing, 'total' | 'hasMore'> {
  readonly ids: readonly string[];
}

/**
 * Finds a page in indexes alone, from the nearer end of the list. Returns undefined if the cursor is no line item of its
 * list, and `deep` if the page is further from both ends than `maxOffset`.
 */
export function findPage(
  statements: PreparedStatements,
  sql: TableSql,
  page: Page,
  maxOffset: number,
): FoundPage | 'deep' | undefined {
  const { limit, offset, after } = page;
  const rows = sql.rows(page);
  const total = Number(statements.get(rows.total)?.[0]);
  if (after !== undefined) {
    const { cursorExists, values } = rows;
    const cursor = cursorExists && sql.statement(cursorExists, values, () => `select ${cursorExists}`);
    if (cursor && statements.get(cursor)?.[0] !== 1) return undefined;
    // One more than the limit, for `hasMore`.
    const ids = readIds(statements, sql, rows, limit + 1, 0);
    return { total, hasMore: ids.length > limit, ids: ids.slice(0, limit) };
  }
  const count = Math.max(0, Math.min(limit, total - offset));
  const following = Math.max(0, total - offset - count);
  if (Math.min(offset, following) > maxOffset) return 'deep';
  const ids =
    offset <= following
      ? readIds(statements, sql, rows, limit, offset)
      : readIds(statements, sql, sql.rows({ ...page, isReversed: true }), count, following).toReversed();
  return { total, hasMore: following > 0, ids };
}

/** The ids of at most `limit` rows after the first `offset` ones. */
function readIds(
  statements: PreparedStatements,
  sql: TableSql,
  { clause, values }: RowsSql,
  limit: number,
  offset: number,
): string[] {
  const next = values.length + 1;
  // The plus prevents SQLite from planning the statement again for each limit: https://sqlite.org/c3ref/expired.html
  const build = (): string => `select "id" from ${sql.name}${clause} limit +?${next} offset +?${next + 1}`;
  const statement = sql.statement(`ids ${clause}`, [...values, limit, offset], build);
  return statements.all(statement).map(([id]) => id as string);
}
