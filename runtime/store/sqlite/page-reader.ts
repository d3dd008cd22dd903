import { organizationColumn, quote } from '../ddl.ts';
import type { RowsSql, TableSql } from '../dml.ts';
import type { Listing, Page } from '../store.ts';
import type { PreparedStatements } from './prepared-statements.ts';

/** The rows of a page, in its order. */
export interface FoundPage extends Pick<Listing, 'total' | 'hasMore'> {
  readonly ids: readonly string[];
  /** SQLite's numbers of the rows, valid within the transaction that found them. */
  readonly rowids: readonly number[];
}

/**
 * Finds a page in indexes alone, from the nearer end of the list. Returns undefined if the cursor is no line item of its
 * list, and `deep` if the page is further from both ends than `maxOffset`, or with one, if rows must be counted.
 */
export function findPage(
  statements: PreparedStatements,
  sql: TableSql,
  page: Page,
  maxOffset: number,
): FoundPage | 'deep' | undefined {
  const { limit, offset, after } = page;
  const rows = sql.rows(page);
  if (rows.isTotalCounted && maxOffset < Infinity) return 'deep';
  const total = Number(statements.get(rows.total)?.[0]);
  if (after !== undefined) {
    const { cursorExists, values } = rows;
    const cursor = cursorExists && sql.statement(cursorExists, values, () => `select ${cursorExists}`);
    if (cursor && statements.get(cursor)?.[0] !== 1) return undefined;
    // One more than the limit, for `hasMore`.
    const found = readRows(statements, sql, rows, limit + 1, 0);
    return pageOf(total, found.length > limit, found.slice(0, limit));
  }
  const count = Math.max(0, Math.min(limit, total - offset));
  const following = Math.max(0, total - offset - count);
  if (Math.min(offset, following) > maxOffset) return 'deep';
  const found =
    offset <= following
      ? readRows(statements, sql, rows, limit, offset)
      : readRows(statements, sql, sql.rows({ ...page, isReversed: true }), count, following).toReversed();
  return pageOf(total, following > 0, found);
}

type FoundRow = readonly [id: string, rowid: number];

const pageOf = (total: number, hasMore: boolean, rows: readonly FoundRow[]): FoundPage => ({
  total,
  hasMore,
  ids: rows.map(([id]) => id),
  rowids: rows.map(([, rowid]) => rowid),
});

/** At most `limit` rows after the first `offset` ones. */
function readRows(
  statements: PreparedStatements,
  sql: TableSql,
  { ordered, unbounded, values }: RowsSql,
  limit: number,
  offset: number,
): readonly FoundRow[] {
  const next = values.length + 1;
  // The plus prevents SQLite from planning the statement again for each limit: https://sqlite.org/c3ref/expired.html
  const limits = `limit +${sql.at(next)} offset +${sql.at(next + 1)}`;
  const build = (): string => {
    if (!unbounded) return `select "id", _rowid_ from ${ordered} ${limits}`;
    const columns = `"id", _rowid_ as "_rowid", ${quote(organizationColumn)} as "_owner"`;
    return `select "id", "_rowid" from (select ${columns} from ${unbounded()} ${limits}) where ${sql.isOwn('"_owner"')}`;
  };
  const statement = sql.statement(`ids ${ordered}`, [...values, limit, offset], build);
  return statements.all(statement) as unknown as readonly FoundRow[];
}
