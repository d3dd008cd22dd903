import type { Value } from '../../kernel/model/fields.ts';
import { organizationColumn, quote } from '../../kernel/sql/schema.ts';
import type { TableSql } from '../../kernel/sql/table-sql.ts';
import type { Statement } from '../../kernel/sql/types.ts';
import {
  buildList,
  cursorOf,
  isFiltered,
  isIndexInListOrder,
  type ListSql,
  storedTotal,
} from '../../kernel/sql/list.ts';
import type { Condition, Listing, Page } from '../../kernel/records/page.ts';
import { complementOf, countUpTo, hasIndex, isIndexed } from '../../kernel/sql/counting.ts';
import { shortCount, shortWork } from './limits.ts';
import type { PreparedStatements } from './prepared-statements.ts';

/** The rows of a page, in its order. */
export interface FoundPage extends Pick<Listing, 'total' | 'hasMore'> {
  readonly ids: readonly string[];
  /** SQLite's numbers of the rows, valid within the transaction that found them. */
  readonly rowids: readonly number[];
}

/** A condition, as `ListQuery.indexedCondition` names it, and the number of rows that meet it. */
interface Counted {
  readonly place: number | 'none';
  readonly rows: number;
}

/** The total of a list; of a filtered list of records also the condition that fewest rows meet. */
interface Examined {
  readonly total: number;
  readonly rarest?: Counted;
}

/** A page that takes too long beside other requests. */
export class TooExpensive extends Error {}

// One for all, as the stack of another one would take longer than many a page.
const tooExpensive = new TooExpensive();

/** Finds a page in indexes alone, from the nearer end of the list. */
export class PageFinder {
  readonly #statements: PreparedStatements;
  readonly #sql: TableSql;
  readonly #page: Page;
  readonly #isShort: boolean;
  readonly #known: number | undefined;

  /**
   * @param isShort throws `TooExpensive` if that takes long
   * @param known the total of the list, if it is known
   */
  constructor(statements: PreparedStatements, sql: TableSql, page: Page, isShort: boolean, known?: number) {
    this.#statements = statements;
    this.#sql = sql;
    this.#page = page;
    this.#isShort = isShort;
    this.#known = known;
  }

  /** @throws TooExpensive. Undefined if the cursor is no line item of its list, or in a sorted list no record. */
  find(): FoundPage | undefined {
    const { limit, offset, after } = this.#page;
    const list = this.#examine();
    const cursorStatement = cursorOf(this.#sql, this.#page);
    const cursor = cursorStatement && this.#statements.get(cursorStatement);
    if (cursorStatement && !cursor) return undefined;
    const { total } = list;
    const count = Math.max(0, Math.min(limit, total - offset));
    const following = Math.max(0, total - offset - count);
    const skipped = after === undefined ? Math.min(offset, following) : 0;
    if (this.#isShort && skipped > shortCount) throw tooExpensive;
    const indexedCondition = this.#indexFor(list, skipped + limit);
    const query = {
      ...this.#page,
      ...(cursor && { cursor: cursor as readonly Value[] }),
      ...(indexedCondition !== undefined && { indexedCondition }),
    };
    const rows = buildList(this.#sql, query);
    // The rows of a row counter may be more, if they were stored by hand.
    const isEmpty = rows.isTotalCounted && (after === undefined ? count : total) === 0;
    if (after !== undefined) {
      // One more than the limit, for `hasMore`.
      const found = isEmpty ? [] : this.#read(rows, limit + 1, 0);
      return pageOf(total, found.length > limit, found.slice(0, limit));
    }
    if (isEmpty) return pageOf(total, false, []);
    const found =
      offset <= following
        ? this.#read(rows, limit, offset)
        : this.#read(buildList(this.#sql, { ...query, isReversed: true }), count, following).toReversed();
    return pageOf(total, following > 0, found);
  }

  #count(statement: Statement): number {
    return Number(this.#statements.get(statement)?.[0]);
  }

  /** The number of all records. */
  #countAll(): number {
    return this.#count(storedTotal(this.#sql) as Statement);
  }

  /** Counts the rows of the list, if that does not take too long. */
  #examine(): Examined {
    const { filter = [], search } = this.#page;
    // How much a search reads is not known before.
    if (search && this.#isShort) throw tooExpensive;
    if (this.#sql.table.parent || !isFiltered(this.#page)) return this.#examineWhole();
    const isSingle = filter.length + (search ? 1 : 0) === 1 && filter.every((one) => isIndexed(this.#sql, one));
    const isCheapToCount = search || this.#known !== undefined || storedTotal(this.#sql, this.#page);
    if (isSingle && isCheapToCount) {
      const total = this.#known ?? this.#count(buildList(this.#sql, this.#page).total);
      const isCheap = !this.#isShort || total <= shortWork || isIndexInListOrder(this.#sql, this.#page, 0);
      if (!isCheap) throw tooExpensive;
      return { total, rarest: { place: 0, rows: total } };
    }
    const rarest = this.#rarest();
    if (this.#isShort && rarest.rows > shortWork) throw tooExpensive;
    const [only] = filter;
    if (isSingle && only) {
      const total = only.operator === 'ne' ? this.#countUnequal(only) : rarest.rows;
      return { total, rarest: { place: 0, rows: total } };
    }
    const query = { ...this.#page, indexedCondition: rarest.place };
    return { total: this.#known ?? this.#count(buildList(this.#sql, query).total), rarest };
  }

  /** An unfiltered list, or the line items of one parent. */
  #examineWhole(): Examined {
    const { filter = [], sort = [], where = {} } = this.#page;
    const stored = storedTotal(this.#sql, { where });
    if (this.#isShort) {
      const isInOrder = filter.length === 0 && sort.length <= (this.#sql.table.parent ? 0 : 1);
      if (!stored || !(isInOrder || this.#count(stored) <= shortWork)) throw tooExpensive;
    }
    if (this.#known !== undefined) return { total: this.#known };
    const total = isFiltered(this.#page) ? undefined : stored;
    return { total: this.#count(total ?? buildList(this.#sql, this.#page).total) };
  }

  /**
   * The condition that fewest rows meet. SQLite has no statistics of the values: rows are counted, those of all conditions on a column
   * in the place of the first.
   */
  #rarest(): Counted {
    const { filter = [], search } = this.#page;
    const columns = [...new Set(filter.map(({ column }) => column))];
    const counters = columns.flatMap((column) => {
      const conditions = filter.filter((one) => one.column === column);
      const place = filter.findIndex((one) => one.column === column);
      return conditions.some((one) => hasIndex(this.#sql, one))
        ? [{ place, upTo: (max: number) => countUpTo(this.#sql, conditions, max) }]
        : [];
    });
    if (search) counters.push({ place: filter.length, upTo: (max) => this.#sql.countFound(search, max) });
    const rarestUpTo = (max: number): Counted => {
      let least: Counted = { place: 'none', rows: Infinity };
      for (const { place, upTo } of counters) {
        const rows = this.#count(upTo(Math.min(max, least.rows)));
        if (rows < least.rows) least = { place, rows };
      }
      return least;
    };
    // A few at first: if fewer meet one of the conditions, that is the one.
    const few = this.#isShort ? shortWork : shortCount;
    const first = rarestUpTo(few + 1);
    if (first.rows <= few || first.place === 'none' || this.#isShort) return first;
    // The index of a single column has the numbers of the rows, which the search finds: no row is read.
    if (search && columns.length === 1 && counters.length > 1) counters.pop();
    return rarestUpTo(this.#countAll() + 1);
  }

  /** The number of records with another value in a column. In most lists, fewer records have the value. */
  #countUnequal(condition: Condition): number {
    const [isEqual, isNull] = complementOf(this.#sql, condition).map((statement) => this.#count(statement));
    return this.#countAll() - Number(isEqual) - Number(isNull);
  }

  /**
   * The condition whose index finds a page soonest: its rows are compared with the others and sorted. If they are many, all rows
   * are read in the order of the list, as it does not take long until enough of them are found.
   *
   * @param wanted rows from the nearer end of the list to the end of the page
   */
  #indexFor({ total, rarest }: Examined, wanted: number): Counted['place'] | undefined {
    const { place } = rarest ?? {};
    if (!rarest || typeof place !== 'number' || isIndexInListOrder(this.#sql, this.#page, place)) return place;
    return (wanted * this.#countAll()) / Math.max(1, total) < rarest.rows ? 'none' : place;
  }

  /** At most `limit` rows after the first `offset` ones. */
  #read({ parts, unbounded, values }: ListSql, limit: number, offset: number): readonly FoundRow[] {
    const sql = this.#sql;
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
    return this.#statements.all(statement) as unknown as readonly FoundRow[];
  }
}

type FoundRow = readonly [id: string, rowid: number];

const pageOf = (total: number, hasMore: boolean, rows: readonly FoundRow[]): FoundPage => ({
  total,
  hasMore,
  ids: rows.map(([id]) => id),
  rowids: rows.map(([, rowid]) => rowid),
});
