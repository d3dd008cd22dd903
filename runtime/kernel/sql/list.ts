import type { Value } from '../model/fields.ts';
import type { Column, Table } from '../model/table.ts';
import type { Bind, Statement, Values } from './types.ts';
import { conditionOf, conditionsOfParent, fromIndexOf, isIndexByCreation, isUnequal } from './conditions.ts';
import { organizationColumn, quote, sortKey, sortKeyOf } from './schema.ts';
import { isCounted, readCounter, readListedCounter } from './row-counters.ts';
import type { TableSql } from './table-sql.ts';
import type { Page, SortKey } from '../records/page.ts';

/** A selection of rows and their order: everything that filters, counts or pages is built from it. */
export interface ListQuery extends Pick<Page, 'where' | 'filter' | 'search' | 'sort' | 'after'> {
  /** The reverse order of the list. */
  readonly isReversed?: boolean;
  /** The result of `cursorOf`: the values of the cursor's record that the list is sorted by. */
  readonly cursor?: readonly Value[];
  /**
   * The place of the only condition whose index may be used, also by others on its column; behind those of `filter` that of
   * `search`; `none` if the rows are read in the order of the list. Otherwise the engine decides.
   */
  readonly indexedCondition?: number | 'none';
  /** A condition beside the others, without parameters, which `ListSql.total` leaves out. */
  readonly onlyIf?: string;
}

/** `ListQuery` as SQL. Parameters added to it follow those of `values`. */
export interface ListSql {
  /**
   * The rows in their order, as it follows `from`. Behind the cursor of a sorted list they are several parts, one after the
   * other: the rows with its first values, and those with other ones.
   */
  readonly parts: readonly string[];
  readonly orderBy: string;
  readonly values: Values;
  /** The rows in no order, and without the cursor. Their values are the first of `values`. */
  readonly rows: () => string;
  /**
   * All records in their order, followed by those of other organizations, which the caller leaves out. SQLite compares each row
   * that an offset skips with the conditions of an index: without an end of the rows, it skips them in half the time.
   */
  readonly unbounded?: () => string;
  /** The number of rows without the cursor. Its values are the first of `values`. */
  readonly total: Statement;
  /** Whether `total` counts rows one by one, as they have no row counter. */
  readonly isTotalCounted: boolean;
}

/** A value that rows are sorted by. */
interface Key {
  readonly expression: string;
  readonly isDescending: boolean;
  /** A null follows all values, in both directions. */
  readonly isNullable: boolean;
  /** The column that has the value; undefined for the keys of creation. */
  readonly column?: Column;
}

const orderKey = (expression: string, isDescending = false): Key => ({ expression, isDescending, isNullable: false });

/** The keys of the order of creation, newest first; of line items, of their positions. */
const ownKeys = (table: Table): Key[] =>
  table.kind === 'line-item' ? [orderKey('"idx"'), orderKey(sortKey(table))] : [orderKey(sortKey(table), true)];

/** Whether a column is in the order of creation, as ids are. */
const isCreation = (column: string): boolean => column === 'id' || column === 'created_at';

/** The sort keys of the rows. Rows with the same values are in their own order. */
function keysOf(sql: TableSql, sort: readonly SortKey[] = []): readonly Key[] {
  const keys = sort.map(({ column: field, isDescending }) => {
    if (isCreation(field)) return orderKey(sortKey(sql.table), isDescending);
    const column = sql.sorting(field);
    return { expression: sql.sortable(column), isDescending, isNullable: true, column: sql.column(column) };
  });
  // Ids are unique: what follows them does not matter.
  const last = sort.findIndex(({ column }) => isCreation(column));
  return last === -1 ? [...keys, ...ownKeys(sql.table)] : keys.slice(0, last + 1);
}

/** The order of the rows by `keys`; nulls are last, or first where it is reversed. */
const orderOf = (sql: TableSql, keys: readonly Key[], isReversed: boolean): string =>
  keys
    .map(({ expression, isNullable, ...key }) => {
      const isDescending = key.isDescending !== isReversed;
      if (isNullable) return sql.dialect.nullableOrder(expression, isDescending, isReversed);
      return isDescending ? `${expression} desc` : expression;
    })
    .join(', ');

/** Whether a list is in the order of creation, in either direction: the place of a record is in its id. */
const isByCreation = ({ kind }: Table, [first]: readonly SortKey[] = []): boolean =>
  first ? isCreation(first.column) : kind !== 'line-item';

/**
 * The values of the cursor's record that a list goes on behind; undefined if the list is in the order of creation, or has no
 * cursor. No row: there is no such record.
 */
export function cursorOf(sql: TableSql, { where, sort, after }: ListQuery): Statement | undefined {
  if (after === undefined || isByCreation(sql.table, sort)) return undefined;
  const { values } = sql.dialect;
  const names = keysOf(sql, sort).map(({ expression, column }) =>
    column ? values.shown(column, expression) : expression,
  );
  const { bound, bind } = sql.binding(after);
  const ofParent = conditionsOfParent(sql, where, bind);
  const rows = sql.organizationRows([`"id" = ${sql.param(1)}`, ...ofParent]);
  return sql.statement(`select ${names.join(', ')} from ${rows}`, bound);
}

/** A part of the rows behind a cursor, and its order: values that all of its rows share do not matter for it. */
interface Part {
  readonly conditions: readonly string[];
  readonly order: string;
}

/** The rows behind the cursor in several parts, which are in the order of the rows. */
function partsBehind(sql: TableSql, keys: readonly Key[], values: readonly Value[], bind: Bind): Part[] {
  const parameters = values.map((value, i) => (value === null ? '' : sql.stored(keys[i]?.column, bind(value))));
  if (keys.every(({ isNullable, isDescending }) => !isNullable && !isDescending)) {
    const expressions = keys.map(({ expression }) => expression).join(', ');
    return [{ conditions: [`(${expressions}) > (${parameters.join(', ')})`], order: expressions }];
  }
  const equal = keys.map(({ expression }, i) =>
    values[i] === null ? `${expression} is null` : `${expression} = ${parameters[i]}`,
  );
  return keys
    .flatMap(({ expression, isDescending, isNullable }, i): Part[] => {
      // Nothing follows a null.
      if (values[i] === null) return [];
      const before = equal.slice(0, i);
      const following = orderOf(sql, keys.slice(i + 1), false);
      const { condition, order } = isNullable
        ? sql.dialect.beyond(expression, isDescending, parameters[i] as string)
        : {
            condition: `${expression} ${isDescending ? '<' : '>'} ${parameters[i]}`,
            order: `${expression}${isDescending ? ' desc' : ''}`,
          };
      const beyond = {
        conditions: [...before, condition],
        order: following === '' ? order : `${order}, ${following}`,
      };
      // The more keys are equal, the nearer is the row: the last part comes first.
      return isNullable ? [{ conditions: [...before, `${expression} is null`], order: following }, beyond] : [beyond];
    })
    .toReversed();
}

/** Whether the index of a condition, which is no search, has the rows that meet it in the order of the list. */
export function isIndexInListOrder({ table }: TableSql, { filter = [], sort }: ListQuery, place: number): boolean {
  const column = filter[place]?.column;
  const isOrdered = filter.some((condition) => condition.column === column && isIndexByCreation(table, condition));
  return isOrdered && isByCreation(table, sort);
}

/** Whether a list has only some of the records. */
export const isFiltered = ({ filter = [], search }: Pick<ListQuery, 'filter' | 'search'>): boolean =>
  filter.length > 0 || search !== undefined;

/** The statements of a selection of rows. */
export function buildList(sql: TableSql, query: ListQuery): ListSql {
  const { where = {}, filter = [], search, sort, after, isReversed = false, cursor, indexedCondition, onlyIf } = query;
  const { bound: values, bind } = sql.binding();
  const ofParent = conditionsOfParent(sql, where, bind);
  const indexed = typeof indexedCondition === 'number' ? filter[indexedCondition] : undefined;
  const indexing = filter.filter(({ column }) => column === indexed?.column);
  const filters = filter.map((condition) =>
    isUnequal(indexing) && condition === indexed
      ? sql.dialect.isUnequal(
          sql,
          sql.sortable(condition.column),
          sql.stored(sql.column(condition.column), bind(condition.values[0] ?? null)),
        )
      : conditionOf(sql, condition, bind, indexedCondition === undefined || condition.column === indexed?.column),
  );
  const isBySearch = search !== undefined && indexedCondition === filter.length;
  const searched = search ? [sql.matches(search, bind, indexedCondition === undefined || isBySearch)] : [];
  const conditions = [...ofParent, ...filters, ...searched];
  const stored = storedTotal(sql, query);
  const from = (all: readonly string[]): string => (isBySearch ? sql.fewRows(all) : fromIndexOf(sql, indexing, all));
  const rows = (): string => from(conditions);
  const count = (): Statement =>
    search && conditions.length === 1 ? sql.countFound(search) : sql.count(rows(), [...values]);
  const total = stored ?? count();

  // Otherwise SQLite, which does not know how few rows meet the condition, goes through all of them in the order of the list.
  const isSorted = indexed && !isIndexInListOrder(sql, query, filter.indexOf(indexed));
  const keys = keysOf(sql, sort).map((key) =>
    isSorted ? { ...key, expression: sql.dialect.withoutIndex(key.expression) } : key,
  );
  const orderBy = ` order by ${orderOf(sql, keys, isReversed)}`;
  const selection = { orderBy, values, rows, total, isTotalCounted: !stored };
  const part = (behind: readonly string[] = [], order = orderBy): string =>
    from([...conditions, ...behind, ...(onlyIf === undefined ? [] : [onlyIf])]) + order;
  if (after !== undefined) {
    const behind = partsBehind(sql, keys, cursor ?? [sortKeyOf(sql.table, after)], bind);
    return { ...selection, parts: behind.map(({ conditions: own, order }) => part(own, ` order by ${order}`)) };
  }
  const isWhole = conditions.length === 0 && keys.length === 1;
  return { ...selection, parts: [part()], ...(isWhole && { unbounded: () => unbounded(sql, keys, isReversed) }) };
}

/** See `ListSql.unbounded`. */
function unbounded(sql: TableSql, keys: readonly Key[], isReversed: boolean): string {
  const isDescending = keys[0]?.isDescending !== isReversed;
  const owner = quote(organizationColumn);
  return (
    `${quote(sql.table.name)} where ${owner} ${isDescending ? '<=' : '>='} ${sql.dialect.parameter(1)} ` +
    `order by ${owner}${isDescending ? ' desc' : ''}, ${orderOf(sql, keys, isReversed)}`
  );
}

/** Reads the number of the records of a list, or of a parent's line items; undefined if no row counter has it. */
export function storedTotal(
  sql: TableSql,
  { where = {}, filter = [], search }: Pick<ListQuery, 'where' | 'filter' | 'search'> = {},
): Statement | undefined {
  const { kind, parent, unlistedBy } = sql.table;
  const [condition, ...others] = filter;
  if (search !== undefined || others.length > 0) return undefined;
  if (condition) {
    const isCounter = condition.operator === 'null' && condition.column === unlistedBy;
    return isCounter ? readListedCounter(sql, condition.values[0] === true) : undefined;
  }
  const values = Object.values(where);
  const isStored = parent
    ? values.length === 1 && isCounted(where[parent.field] ?? null)
    : kind === 'record' && values.length === 0;
  return isStored ? readCounter(sql, values) : undefined;
}
