import type { Value } from '../model/fields.ts';
import { organizationColumn, quote } from '../sql/schema.ts';
import type { Statement, TableSql } from '../sql/table-sql.ts';
import { complementOf, cursorOf, hasIndex, isFiltered, isIndexInListOrder, type ListSql } from '../sql/list.ts';
import type { Condition, Listing, Page } from '../records/store.ts';
import type { PreparedStatements } from './prepared-statements.ts';

/** The rows of a page, in its order. */
export interface FoundPage extends Pick<Listing, 'total' | 'hasMore'> {
  readonly ids: readonly string[];
  /** SQLite's numbers of the rows, valid within the transaction that found them. */
  readonly rowids: readonly number[];
}

/** The work that may be done to find a page; one that needs more is `too expensive`. */
export interface PageBudget {
  /** Rows that may be skipped, from the nearer end of the list. */
  readonly maxOffset: number;
  /** Rows that may be compared with a filter, or sorted. */
  readonly maxCompared: number;
  /** The total of the list, if it is known. */
  readonly total?: number;
}

/** Rows of each condition that are counted at first: one that fewer meet decides how a page is found. */
const maxCounted = 20_000;

const selectionOf = ({ where, filter, search }: Page): Pick<Page, 'where' | 'filter' | 'search'> => ({
  ...(where && { where }),
  ...(filter && { filter }),
  ...(search && { search }),
});

/** The number of rows of a list, as a statement: what its total is known by. */
export const totalOf = (sql: TableSql, page: Page): Statement => sql.rows(selectionOf(page)).total;

/**
 * Finds a page in indexes alone, from the nearer end of the list. Returns undefined if the cursor is no line item of its
 * list, or in a sorted list no record, and `too expensive` if that takes more work than is allowed.
 */
export function findPage(
  statements: PreparedStatements,
  sql: TableSql,
  page: Page,
  budget: PageBudget,
): FoundPage | 'too expensive' | undefined {
  const { limit, offset, after } = page;
  const list = examine(statements, sql, page, budget);
  if (list === 'too expensive') return list;
  const cursorStatement = cursorOf(sql, page);
  const cursor = cursorStatement && statements.get(cursorStatement);
  if (cursorStatement && !cursor) return undefined;
  const { total } = list;
  const count = Math.max(0, Math.min(limit, total - offset));
  const following = Math.max(0, total - offset - count);
  const skipped = after === undefined ? Math.min(offset, following) : 0;
  if (skipped > budget.maxOffset) return 'too expensive';
  const indexedCondition = indexFor(statements, sql, page, list, skipped + limit);
  const query = {
    ...page,
    ...(cursor && { cursor: cursor as readonly Value[] }),
    ...(indexedCondition !== undefined && { indexedCondition }),
  };
  const rows = sql.rows(query);
  if (after !== undefined) {
    const { cursorExists, values } = rows;
    const exists = cursorExists && sql.statement(cursorExists, values, () => `select ${cursorExists}`);
    if (exists && statements.get(exists)?.[0] !== 1) return undefined;
    // One more than the limit, for `hasMore`.
    const found = rows.isTotalCounted && total === 0 ? [] : readRows(statements, sql, rows, limit + 1, 0);
    return pageOf(total, found.length > limit, found.slice(0, limit));
  }
  // The rows of a row counter may be more, if they were stored by hand.
  if (rows.isTotalCounted && count === 0) return pageOf(total, false, []);
  const found =
    offset <= following
      ? readRows(statements, sql, rows, limit, offset)
      : readRows(statements, sql, sql.rows({ ...query, isReversed: true }), count, following).toReversed();
  return pageOf(total, following > 0, found);
}

/** A condition, as `ListQuery.indexedCondition` names it, and the number of rows that meet it. */
interface Counted {
  readonly place: number;
  readonly rows: number;
}

/** The total of a list; of a filtered list of records also the condition that fewest rows meet. */
interface Examined {
  readonly total: number;
  readonly rarest?: Counted;
}

const count = (statements: PreparedStatements, statement: Statement): number => Number(statements.get(statement)?.[0]);

/** Counts the rows of a list, if that is within the budget. */
function examine(
  statements: PreparedStatements,
  sql: TableSql,
  page: Page,
  budget: PageBudget,
): Examined | 'too expensive' {
  const { filter = [], search, sort = [], where = {} } = page;
  const { maxCompared, total: known } = budget;
  // How much a search reads is not known before.
  if (search && maxCompared < Infinity) return 'too expensive';
  const isItem = sql.table.parent !== undefined;
  if (isItem || !isFiltered(page)) {
    const all = sql.rows({ where });
    const isInOrder = filter.length === 0 && sort.length <= (isItem ? 0 : 1);
    const isCheap =
      maxCompared === Infinity || (!all.isTotalCounted && (isInOrder || count(statements, all.total) <= maxCompared));
    return isCheap ? { total: known ?? count(statements, totalOf(sql, page)) } : 'too expensive';
  }
  const [only, ...others] = filter;
  const alone = search || others.length > 0 ? undefined : only;
  if (known !== undefined && alone) {
    const isCheap = known <= maxCompared || isIndexInListOrder(sql, page, 0);
    return isCheap ? { total: known, rarest: { place: 0, rows: known } } : 'too expensive';
  }
  if (search && filter.length === 0) {
    const total = known ?? count(statements, totalOf(sql, page));
    return { total, rarest: { place: 0, rows: total } };
  }
  const rarest = rarestOf(statements, sql, page, maxCompared);
  if (rarest.rows > maxCompared) return 'too expensive';
  if (alone) {
    const total = alone.operator === 'ne' ? countUnequal(statements, sql, alone) : rarest.rows;
    return { total, rarest: { place: 0, rows: total } };
  }
  const query = { ...selectionOf(page), indexedCondition: rarest.place };
  return { total: known ?? count(statements, sql.rows(query).total), rarest };
}

/** SQLite has no statistics of the values: rows are counted, those of all conditions on a column in the place of the first. */
function rarestOf(
  statements: PreparedStatements,
  sql: TableSql,
  { filter = [], search }: Page,
  maxCompared: number,
): Counted {
  const columns = [...new Set(filter.map(({ column }) => column))];
  const counters = columns.flatMap((column) => {
    const conditions = filter.filter((one) => one.column === column);
    const place = filter.findIndex((one) => one.column === column);
    return conditions.some(hasIndex) ? [{ place, upTo: (max: number) => sql.countUpTo(conditions, max) }] : [];
  });
  if (search) counters.push({ place: filter.length, upTo: (max) => sql.countFound(search, max) });
  const rarestUpTo = (max: number): Counted => {
    let least: Counted = { place: -1, rows: Infinity };
    for (const { place, upTo } of counters) {
      const rows = count(statements, upTo(Math.min(max, least.rows)));
      if (rows < least.rows) least = { place, rows };
    }
    return least;
  };
  const first = rarestUpTo(Math.min(maxCounted, maxCompared) + 1);
  if (first.rows <= maxCounted || first.place === -1 || maxCompared < Infinity) return first;
  // The index of a single column has the numbers of the rows, which the search finds: no row is read.
  if (search && columns.length === 1 && counters.length > 1) counters.pop();
  return rarestUpTo(count(statements, sql.rows({}).total) + 1);
}

/** The number of records with another value in a column. In most lists, fewer records have the value. */
function countUnequal(statements: PreparedStatements, sql: TableSql, condition: Condition): number {
  const [isEqual, isNull] = complementOf(sql, condition).map((statement) => count(statements, statement));
  return count(statements, sql.rows({}).total) - Number(isEqual) - Number(isNull);
}

/**
 * The condition whose index finds a page soonest: its rows are compared with the others and sorted. If they are many, all rows
 * are read in the order of the list, as it does not take long until enough of them are found.
 *
 * @param wanted rows from the nearer end of the list to the end of the page
 */
function indexFor(
  statements: PreparedStatements,
  sql: TableSql,
  page: Page,
  { total, rarest }: Examined,
  wanted: number,
): number | undefined {
  if (!rarest || isIndexInListOrder(sql, page, rarest.place)) return rarest?.place;
  const all = count(statements, sql.rows({}).total);
  return (wanted * all) / Math.max(1, total) < rarest.rows ? -1 : rarest.place;
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
  { parts, unbounded, values }: ListSql,
  limit: number,
  offset: number,
): readonly FoundRow[] {
  const next = values.length + 1;
  // The plus prevents SQLite from planning the statement again for each limit: https://sqlite.org/c3ref/expired.html
  const limits = `limit +${sql.param(next)} offset +${sql.param(next + 1)}`;
  const build = (): string => {
    const columns = '"id", _rowid_ as "_rowid"';
    if (unbounded) {
      const rows = `(select ${columns}, ${quote(organizationColumn)} as "_owner" from ${unbounded()} ${limits})`;
      return `select "id", "_rowid" from ${rows} where ${sql.inOrganization('"_owner"')}`;
    }
    const ofParts = parts.map((part) => `select ${columns} from ${part} ${limits}`);
    if (ofParts.length === 1) return ofParts.join();
    return `${ofParts.map((part) => `select * from (${part})`).join(' union all ')} limit +${sql.param(next)}`;
  };
  const statement = sql.statement(`ids ${parts.join()}`, [...values, limit, offset], build);
  return statements.all(statement) as unknown as readonly FoundRow[];
}
