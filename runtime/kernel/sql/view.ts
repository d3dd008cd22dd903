import type { Projection } from '../records/page.ts';
import type { TableSql } from './table-sql.ts';
import type { Statement, Values } from './types.ts';

/** The SQL of records as a projection shows them. */
export interface View {
  /** Whether it leaves fields out. */
  readonly hasFields: boolean;
  /** Whether it shows other records with them. */
  readonly isExpanded: boolean;
  /** The value of the parameter that says what is shown. */
  readonly shown: string;
  /**
   * An expression: the JSON of a row, without its last bracket.
   *
   * @param row the name of the relation that has it
   * @param shown the parameter
   */
  readonly json: (row: string, shown: string) => string;
  /** A statement whose text is the same for all views of a table that differ in the parameter alone. */
  readonly statement: (key: string, values: Values, build: () => string) => Statement;
}

/** Makes the view of the records of a table. @param of the statements on another table */
export type ViewOf = (sql: TableSql, projection: Projection, of: (table: string) => TableSql) => View;
