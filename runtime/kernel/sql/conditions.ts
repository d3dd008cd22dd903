import { timeDigits } from '../model/ids.ts';
import type { Operator } from '../model/query.ts';
import type { Table } from '../model/table.ts';
import type { Condition, Page } from '../records/page.ts';
import type { Bind } from './types.ts';
import { quote, sortKey } from './schema.ts';
import type { TableSql } from './table-sql.ts';

/** The conditions that line items belong to a parent. */
export const conditionsOfParent = (sql: TableSql, where: Page['where'] = {}, bind: Bind): string[] =>
  Object.entries(where).map(([column, value]) =>
    value === null ? `${quote(column)} is null` : sql.equals(column, bind(value)),
  );

/** The first text behind all that begin with this one, by code points; undefined if there is none. */
function behindPrefix(prefix: string): string | undefined {
  const points = [...prefix];
  for (let last = points.pop(); last !== undefined; last = points.pop()) {
    const point = last.codePointAt(0) as number;
    // Surrogates are no characters.
    if (point < 0x10ffff) return points.join('') + String.fromCodePoint(point === 0xd7ff ? 0xe000 : point + 1);
  }
  return undefined;
}

const comparisons = { eq: '=', ne: '<>', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** The sort key of the first record that can have been made at this time, or later. */
const keyAt = ({ name, renamedFrom }: Table, time: number): string =>
  (renamedFrom ? '' : `${name}_`) + timeDigits(time);

/** When a record was created is in its sort key, to the millisecond: it has an index. */
function createdCondition(
  { table, dialect }: TableSql,
  { operator, values }: Condition,
  bind: Bind,
  mayUseIndex: boolean,
): string | undefined {
  const key = mayUseIndex ? sortKey(table) : dialect.withoutIndex(sortKey(table));
  const text = String(values[0]);
  const [millisecond = ''] = /^[^Z]*Z/.exec(text) ?? [];
  const time = Date.parse(millisecond);
  // A time within a millisecond has digits behind it: no record is created then, but before and after it.
  const first = text !== millisecond ? time + 1 : time;
  const past = time + 1;
  if (operator === 'in') {
    // Date.parse takes no digits behind those of a millisecond.
    const times = values.map((value) => Date.parse(String(value))).filter((instant) => !Number.isNaN(instant));
    const ranges = times.map((instant) => [keyAt(table, instant), keyAt(table, instant + 1)]);
    return dialect.isInRanges(table, bind(JSON.stringify(ranges)));
  }
  const ranges: { readonly [O in Operator]?: readonly [from: number | undefined, until?: number] } = {
    eq: [first, past],
    gt: [past],
    gte: [first],
    lt: [undefined, first],
    lte: [undefined, past],
  };
  const [from, until] = ranges[operator] ?? [];
  const bounds = [
    ...(from === undefined ? [] : [`${key} >= ${bind(keyAt(table, from))}`]),
    ...(until === undefined ? [] : [`${key} < ${bind(keyAt(table, until))}`]),
  ];
  return bounds.length > 0 ? bounds.join(' and ') : undefined;
}

/** Whether the index of a condition has the rows that meet it in the order of creation. */
export const isIndexByCreation = ({ renamedFrom }: Table, { column, operator, values }: Condition): boolean => {
  if (column === 'created_at') return operator !== 'ne' && operator !== 'in';
  if (column === 'id') return operator !== 'ne' && operator !== 'in' && !renamedFrom;
  return operator === 'eq' || (operator === 'null' && values[0] === true);
};

/** @param mayUseIndex otherwise the engine is kept from it */
export function conditionOf(sql: TableSql, condition: Condition, bind: Bind, mayUseIndex: boolean): string {
  const { column, operator, values } = condition;
  const created = column === 'created_at' ? createdCondition(sql, condition, bind, mayUseIndex) : undefined;
  if (created !== undefined) return created;
  const sortable = sql.sortable(column);
  const name = mayUseIndex ? sortable : sql.dialect.withoutIndex(sortable);
  const [value = null] = values;
  switch (operator) {
    case 'null':
      return `${name} is ${value === true ? '' : 'not '}null`;
    case 'has':
      return sql.dialect.has(sql, name, value, bind);
    case 'in':
      return sql.dialect.isIn(sql.column(column), name, bind(values));
    case 'prefix': {
      const end = behindPrefix(String(value));
      return `${name} >= ${bind(value)}${end === undefined ? '' : ` and ${name} < ${bind(end)}`}`;
    }
    default:
      return `${name} ${comparisons[operator]} ${sql.stored(sql.column(column), bind(value))}`;
  }
}

/** Whether the only condition on a column is that it has another value. */
export const isUnequal = ([first, ...others]: readonly Condition[]): boolean =>
  first?.operator === 'ne' && others.length === 0;

/** The rows that meet conditions, as they follow `from`, if the index of those on one column finds them. */
export function fromIndexOf(sql: TableSql, indexed: readonly Condition[], conditions: readonly string[]): string {
  const isByTime = indexed.some(({ column, operator }) => column === 'created_at' && operator === 'in');
  if (isByTime || isUnequal(indexed)) return sql.fewRows(conditions);
  return indexed[0]?.column === 'id' ? sql.fromPrimaryKey(conditions) : sql.organizationRows(conditions);
}
