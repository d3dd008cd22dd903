import { ApiError } from '../../kernel/model/errors.ts';
import type { Column } from '../../kernel/model/table.ts';
import { countUpTo, hasIndex } from '../../kernel/sql/counting.ts';
import { buildList } from '../../kernel/sql/list.ts';
import type { TableSql } from '../../kernel/sql/table-sql.ts';
import type { AllTables, Read, Row, Steps } from '../../kernel/sql/types.ts';
import { compareText } from '../../kernel/values/text.ts';
import { sumTooLarge, tooManyGroups } from './errors.ts';
import { maxCompared, maxGroups } from './limits.ts';
import type { CountQuery } from './query.ts';
import { sumIn, sumSql } from './sums.ts';

type GroupValue = string | number | boolean | null;

/** The number of records with a value, and the sums of their numbers: `{ status: 'Open', count: 12, total_amount: '310.50' }`. */
export type Group = Readonly<Record<string, GroupValue>> & { readonly count: number };

/** Counts and sums, as responses have them. */
export interface Counted {
  /** The largest first; that of null is the last one. Without `by`, it is one. */
  readonly data: readonly Group[];
  /** The number of all records. */
  readonly total: number;
}

/**
 * Counts the records of a list, in one statement: the result is one of a moment.
 *
 * It throws ApiError `too_many_groups` and `sum_too_large` (400).
 */
export const countRead: Read<[table: string, query: CountQuery], Counted> = { steps: countRecords, isOfReplicas: true };

function* countRecords(all: AllTables, organization: number, name: string, query: CountQuery): Steps<Counted> {
  const sql = all.of(name, organization);
  const { by, sum } = query;
  const place = sql.dialect.engine === 'sqlite' ? yield* indexedCondition(sql, query) : undefined;
  const { rows, values } = buildList(sql, { ...query, ...(place !== undefined && { indexedCondition: place }) });
  const summed = sum.map((field) => sql.column(field));
  const isInOrder = place === 'none' || (place === undefined ? isOf(query, by) : query.filter?.[place]?.column === by);
  const key = by === undefined ? undefined : groupKey(sql, by, isInOrder);
  const selected = [key ?? 'null', 'count(*)', ...summed.map((column) => sumSql(sql, column))].join(', ');
  const groups = key === undefined ? '' : ` group by ${key} limit ${maxGroups + 1}`;
  const text = `select ${selected} from ${rows()}${groups}`;
  const [found = []] = yield { statements: [sql.statement(text, values)] };
  if (found.length > maxGroups) {
    throw new ApiError(tooManyGroups, `The records have more than ${maxGroups} different values in ${by}.`);
  }
  const column = by === undefined ? undefined : sql.column(by);
  const data = found.map((row) => groupOf(row, column, summed));
  if (column) data.sort((a, b) => compareGroups(a, b, column.name));
  return { data, total: data.reduce((total, { count }) => total + count, 0) };
}

/** Whether all conditions are about the field that rows are grouped by. */
const isOf = ({ where = {}, filter = [], search }: CountQuery, by: string | undefined): boolean =>
  Object.keys(where).length === 0 && search === undefined && filter.every(({ column }) => column === by);

/** The value that rows are grouped by. @param isInOrder whether an index has them in its order */
const groupKey = (sql: TableSql, by: string, isInOrder: boolean): string =>
  isInOrder ? sql.sortable(by) : sql.dialect.withoutIndex(sql.sortable(by));

/**
 * The condition whose index finds the fewest rows, as `ListQuery.indexedCondition` names it: SQLite has no statistics of the values.
 * The index of a count has the values of its own columns, and finds all rows; other conditions are to find theirs by their index.
 */
function* indexedCondition(
  sql: TableSql,
  { by, where = {}, filter = [], search }: CountQuery,
): Steps<number | 'none' | undefined> {
  const { parent, unlistedBy } = sql.table;
  if (parent || Object.keys(where).length > 0) return undefined;
  const columns = [...new Set(filter.map(({ column }) => column))].filter((column) => column !== unlistedBy);
  const counters = columns.flatMap((column) => {
    const conditions = filter.filter((one) => one.column === column);
    const place = filter.findIndex((one) => one.column === column);
    return conditions.some((one) => hasIndex(sql, one))
      ? [{ place, statement: countUpTo(sql, conditions, maxCompared) }]
      : [];
  });
  if (search) counters.push({ place: filter.length, statement: sql.countFound(search, maxCompared) });
  if (counters.length === 0) return columns.length === 0 || columns[0] === by ? 'none' : 0;
  if (counters.length === 1) return counters[0]?.place;
  const results = yield { statements: counters.map(({ statement }) => statement) };
  const numbers = results.map(([row]) => Number(row?.[0]));
  return counters[numbers.indexOf(Math.min(...numbers))]?.place;
}

/** @throws ApiError `sum_too_large` (400) */
function groupOf([value, count, ...sums]: Row, by: Column | undefined, summed: readonly Column[]): Group {
  const group: Record<string, GroupValue> = by ? { [by.name]: valueOf(by, value) } : {};
  group['count'] = Number(count);
  for (const [at, column] of summed.entries()) {
    const sum = sumIn(column, sums[at]);
    if (typeof sum === 'number' && !Number.isFinite(sum)) {
      throw new ApiError(sumTooLarge, `The sum of ${column.name} is larger than a number of JSON can be.`);
    }
    group[column.name] = sum;
  }
  return group as Group;
}

/** A value as its record shows it, from one as an engine returns it. */
function valueOf({ type }: Column, value: unknown): GroupValue {
  if (value === null) return null;
  if (type === 'bigint') return Number(value);
  return type === 'boolean' ? value === 1 || value === 't' : String(value);
}

function compareGroups(a: Group, b: Group, by: string): number {
  const [left, right] = [a[by] ?? null, b[by] ?? null];
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  if (a.count !== b.count) return b.count - a.count;
  return typeof left === 'string' ? compareText(left, String(right)) : Number(left) - Number(right);
}
