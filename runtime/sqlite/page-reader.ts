import type { Value } from '../model/fields.ts';
import { organizationColumn, quote } from '../sql/schema.ts';
import type { Statement, TableSql } from '../sql/table-sql.ts';
import { cursorOf, isFiltered, isNarrowing, isWalk, type RowsSql } from '../sql/list.ts';
import type { Listing, Page } from '../records/store.ts';
import type { PreparedStatements } from './prepared-statements.ts';

/** The rows of a page, in its order. */
export interface FoundPage extends Pick<Listing, 'total' | 'hasMore'> {
  readonly ids: readonly string[];
  /** SQLite's numbers of the rows, valid within the transaction that found them. */
  readonly rowids: readonly number[];
}

/** The work that may be done to find a page; one that needs more is `deep`. */
export interface Effort {
  /** Rows that may be skipped, from the nearer end of the list. */
  readonly maxOffset: number;
  /** Rows that may be compared with a filter, or sorted. */
  readonly maxCompared: number;
  /** Whether a page that needs more is found nevertheless. */
  readonly isAll: boolean;
  /** The total of a filtered list, where it is known: see `totalOf`. */
  readonly knownTotal: (total: Statement) => number | undefined;
}

/** Rows that are sorted, where others can be gone through in the order of the list. */
const mostSorted = 1_000;

/** Rows that are gone through for each that is found. */
const mostPassed = 5;

/** The number of rows of a list, as a statement: what its total is known by. */
export const totalOf = (sql: TableSql, { where, filter, search }: Page): Statement =>
  sql.rows({ ...(where && { where }), ...(filter && { filter }), ...(search && { search }) }).total;

/**
 * Finds a page in indexes alone, from the nearer end of the list. Returns undefined if the cursor is no line item of its
 * list, or in a sorted list no record, and `deep` if that takes more effort than is allowed.
 */
export function findPage(
  statements: PreparedStatements,
  sql: TableSql,
  page: Page,
  effort: Effort,
): FoundPage | 'deep' | undefined {
  const { limit, offset, after } = page;
  const known = isFiltered(page) ? effort.knownTotal(totalOf(sql, page)) : undefined;
  const driver = driverOf(statements, sql, page, effort, known);
  if (driver === 'deep') return driver;
  const driven = { ...page, ...(driver !== undefined && { driver }) };
  const cursorStatement = cursorOf(sql, page);
  const cursor = cursorStatement && statements.get(cursorStatement);
  if (cursorStatement && !cursor) return undefined;
  const rows = sql.rows({ ...driven, ...(cursor && { cursor: cursor as readonly Value[] }) });
  if (!page.filter && rows.isTotalCounted && !effort.isAll) return 'deep';
  const total = known ?? Number(statements.get(rows.total)?.[0]);
  if (after !== undefined) {
    const { cursorExists, values } = rows;
    const exists = cursorExists && sql.statement(cursorExists, values, () => `select ${cursorExists}`);
    if (exists && statements.get(exists)?.[0] !== 1) return undefined;
    // One more than the limit, for `hasMore`.
    const found = readRows(statements, sql, rows, limit + 1, 0);
    return pageOf(total, found.length > limit, found.slice(0, limit));
  }
  const count = Math.max(0, Math.min(limit, total - offset));
  const following = Math.max(0, total - offset - count);
  if (Math.min(offset, following) > effort.maxOffset && !effort.isAll) return 'deep';
  const found =
    offset <= following
      ? readRows(statements, sql, rows, limit, offset)
      : readRows(statements, sql, sql.rows({ ...driven, isReversed: true }), count, following).toReversed();
  return pageOf(total, following > 0, found);
}

/**
 * The condition whose index the rows are found by, as `Rows.driver`; undefined if it does not matter. SQLite has no statistics
 * of the values: it is found by counting. Rows that meet any condition are compared with the others and sorted; where they are
 * many, all rows are gone through in the order of the list, as it takes not long until a page of them is found.
 */
function driverOf(
  statements: PreparedStatements,
  sql: TableSql,
  { where = {}, filter = [], search, sort = [] }: Page,
  { maxCompared, isAll }: Effort,
  total: number | undefined,
): number | undefined | 'deep' {
  const isItem = sql.table.parent !== undefined;
  // How much a search reads is not known before.
  if (search && !isAll) return 'deep';
  if (isItem || !isFiltered({ filter, ...(search && { search }) })) {
    const isInOrder = filter.length === 0 && (sort.length === 0 || (sort.length === 1 && !isItem));
    if (isInOrder || isAll) return undefined;
    const compared = sql.rows({ where });
    const isFew = !compared.isTotalCounted && Number(statements.get(compared.total)?.[0]) <= maxCompared;
    return isFew ? undefined : 'deep';
  }
  const count = (statement: Statement): number => Number(statements.get(statement)?.[0]);
  const isOne = filter.length + Number(search !== undefined) === 1;
  const counts = filter.map(({ column }, place) => {
    const ofColumn = filter.filter((one) => one.column === column);
    // Both ends of a range narrow it together: they are counted once, in the place of the first.
    const isCounted = filter.findIndex((one) => one.column === column) === place && ofColumn.some(isNarrowing);
    if (isCounted && isOne && total !== undefined) return total;
    return isCounted ? count(sql.countUpTo(ofColumn, maxCompared + 1)) : Infinity;
  });
  if (search) counts.push((isOne ? total : undefined) ?? count(sql.countFound(search, maxCompared + 1)));
  const least = Math.min(...counts);
  if (least <= maxCompared) {
    const isAlone = isOne && !search && sort.length === 1;
    // Where every few rows meet the condition, a page of them is found sooner in the order than all of them are sorted.
    const isFound = isAlone && least > mostSorted && least * mostPassed > count(sql.rows({ where }).total);
    return isFound && isAll ? -1 : counts.indexOf(least);
  }
  const isInOrder = isOne && !search && sort.length === 0 && filter.every(isWalk);
  if (isInOrder && (total !== undefined || isAll)) return 0;
  return isAll ? -1 : 'deep';
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
  { parts, unbounded, values }: RowsSql,
  limit: number,
  offset: number,
): readonly FoundRow[] {
  const next = values.length + 1;
  // The plus prevents SQLite from planning the statement again for each limit: https://sqlite.org/c3ref/expired.html
  const limits = `limit +${sql.at(next)} offset +${sql.at(next + 1)}`;
  const build = (): string => {
    const columns = '"id", _rowid_ as "_rowid"';
    if (unbounded) {
      const rows = `(select ${columns}, ${quote(organizationColumn)} as "_owner" from ${unbounded()} ${limits})`;
      return `select "id", "_rowid" from ${rows} where ${sql.isOwn('"_owner"')}`;
    }
    const ofParts = parts.map((part) => `select ${columns} from ${part} ${limits}`);
    if (ofParts.length === 1) return ofParts.join();
    return `${ofParts.map((part) => `select * from (${part})`).join(' union all ')} limit +${sql.at(next)}`;
  };
  const statement = sql.statement(`ids ${parts.join()}`, [...values, limit, offset], build);
  return statements.all(statement) as unknown as readonly FoundRow[];
}
