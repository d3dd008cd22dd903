import type { ColumnType, Value } from '../model/fields.ts';
import type { Column, Table } from '../model/table.ts';
import type { Bind } from './types.ts';
import type { TableSql } from './table-sql.ts';
import type { Engine, ValueStorage } from './values.ts';

/** The parts of the statements on records that differ between engines. */
export interface QueryDialect {
  readonly engine: Engine;
  readonly values: ValueStorage;
  /** The nth parameter, from 1. */
  parameter(n: number): string;
  /** An expression over the columns of a row: its JSON. */
  recordJson(table: Table): string;
  /** The expressions over the columns of a row that its JSON is made of, separated by commas. */
  returned(table: Table): string;
  /** The JSON of a row, which begins with the values of `returned`. */
  returnedJson(table: Table, row: readonly unknown[]): string;
  /** An expression: the JSON of a value, as `recordJson` has it. */
  valueJson(column: Column): string;
  /** An expression: those of the texts that are not null, separated by commas. */
  joined(texts: readonly string[]): string;
  /** A query for the JSON of rows; `rows` follows `from`. */
  selectJson(table: Table, rows: string): string;
  /** The condition that a line item belongs to a parent, in the form that the index on `field` supports. */
  isParent(field: string, parameter: string): string;
  /** An expression in a condition or order, written so that the engine uses no index for it. */
  withoutIndex(expression: string): string;
  /** A condition: the value of a column is one of those of a parameter, which is a list. */
  isIn(column: Column, value: string, parameter: string): string;
  /** A condition: a value is one of those that a query selects. PostgreSQL executes it once, whatever the statistics say. */
  isSelected(value: string, query: string): string;
  /**
   * A condition: the sort key of a row is in one of the ranges of a parameter, a JSON array of pairs, in the form
   * that the index supports.
   */
  isInRanges(table: Table, parameter: string): string;
  /** A condition: the list in a column has a value. */
  has(sql: TableSql, list: string, value: Value, bind: Bind): string;
  /** A condition: a column has another value than a parameter, in the form that the index supports. */
  isUnequal(sql: TableSql, column: string, parameter: string): string;
  /** Rows of a table, as they follow `from`, where they are few and to be found before they are sorted. */
  fewRows(table: string, where: string): string;
  /** A table whose rows are to be found by the primary key. */
  byPrimaryKey(table: Table): string;
  /** The order by a column that may be null; nulls are last, unless `isReversed`. */
  nullableOrder(column: string, isDescending: boolean, isReversed: boolean): string;
  /**
   * The condition that a column that may be null has a value behind that of a parameter, and the order of the rows that meet
   * it, both in the form that an index on the column supports.
   */
  beyond(
    column: string,
    isDescending: boolean,
    parameter: string,
  ): { readonly condition: string; readonly order: string };
  /**
   * The end of a `select` that locks its rows against deletion, against any change, against the second as well, or against all
   * of them; empty if the engine has a single writer.
   */
  readonly lock: Readonly<Record<'againstDelete' | 'againstChange' | 'exclusive' | 'forDelete', string>>;
  /** A relation `_given` of `id` and another column, built from a parameter that is a JSON array of objects. */
  given(parameter: string, column: string, type: ColumnType): string;
  /** The expressions that an insert returns, separated by commas. */
  inserted(table: Table): string;
  /** The JSON of a new record, from its values and the row that its insert has returned. */
  insertedJson(table: Table, values: readonly Value[], row: readonly unknown[]): string;
  /** Whether an insert that clashes with another row returns none; otherwise it is an error of the engine. */
  readonly skipsClashes: boolean;
  /** Shards of the row counter of a table of records: that many writers need not wait for each other. */
  readonly counterShards: number;
}
