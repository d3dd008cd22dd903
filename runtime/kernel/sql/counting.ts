import { conditionOf, fromIndexOf } from './conditions.ts';
import { buildList } from './list.ts';
import type { TableSql } from './table-sql.ts';
import type { Statement } from './types.ts';
import { isList } from './values.ts';
import type { Condition } from '../records/page.ts';

/** Whether conditions on a column have an index: lists have none. */
export const isIndexed = (sql: TableSql, { column }: Condition): boolean => !isList(sql.column(column));

/** Whether an index finds the rows that meet a condition, without those that do not. */
export const hasIndex = (sql: TableSql, condition: Condition): boolean =>
  condition.operator !== 'ne' && isIndexed(sql, condition);

/** The number of rows that meet conditions on a column, counted up to a maximum. */
export function countUpTo(sql: TableSql, conditions: readonly Condition[], max: number): Statement {
  const { bound, bind } = sql.binding();
  const meeting = conditions.map((condition) => conditionOf(sql, condition, bind, true));
  return sql.count(fromIndexOf(sql, conditions, meeting), bound, max);
}

/** The number of rows that do not meet the condition `ne`, counted in its index. */
export function complementOf(sql: TableSql, { column, values }: Condition): readonly Statement[] {
  const isEqual: Condition = { column, operator: 'eq', values };
  const isNull: Condition = { column, operator: 'null', values: [true] };
  return [isEqual, isNull].map((condition) => buildList(sql, { filter: [condition] }).total);
}
