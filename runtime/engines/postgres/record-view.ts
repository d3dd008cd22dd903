import { mayBeLarge } from '../../kernel/model/limits.ts';
import { maxPageBytes } from '../../kernel/records/limits.ts';
import type { Projection } from '../../kernel/records/page.ts';
import type { Dml } from '../../kernel/sql/dml.ts';
import type { TableSql } from '../../kernel/sql/table-sql.ts';
import type { Statement, Values } from '../../kernel/sql/types.ts';
import type { View } from '../../kernel/sql/view.ts';

/** Records of a table, whole or as a projection shows them. */
export class RecordView {
  readonly sql: TableSql;
  readonly fields: readonly string[] | undefined;
  readonly #view: View | undefined;

  constructor(dml: Dml, sql: TableSql, projection: Projection | undefined) {
    this.sql = sql;
    this.fields = projection?.fields;
    this.#view = dml.view(sql, projection);
  }

  /** Whether other records are shown with them. */
  get isExpanded(): boolean {
    return this.#view?.isExpanded ?? false;
  }

  /** Whether one of them may have more bytes than a page that is read at once. */
  get areLarge(): boolean {
    return mayBeLarge(this.sql.table) && this.fields === undefined;
  }

  /** An expression: the JSON of a row; null if one of its lists is too long. @param n the parameter for what is shown */
  json(row: string, n: number): string {
    return this.#view
      ? `${this.#view.json(row, `cast(${this.sql.param(n)} as text)`)} || '}'`
      : this.sql.dialect.recordJson(this.sql.table);
  }

  /** A statement whose last parameter is for what is shown. */
  statement(key: string, values: Values, build: () => string): Statement {
    return this.#view
      ? this.#view.statement(key, [...values, this.#view.shown], build)
      : this.sql.statement(key, values, build);
  }
}

/** A condition: the JSON of all rows together has no more bytes than a page that is read at once. @param over of which rows */
export const isShort = (over = ''): string =>
  `sum(coalesce(octet_length(_json), ${maxPageBytes + 1}))${over} <= ${maxPageBytes}`;
