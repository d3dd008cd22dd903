import type { ProjectionSql } from '../sql/projection.ts';
import { quote } from '../sql/schema.ts';
import type { Statement, TableSql } from '../sql/table-sql.ts';

// Bytes instead of strings: a page of them takes less time, and no long string lingers in memory.

/**
 * The JSON of records, separated by commas.
 *
 * @param rowids SQLite's numbers of the rows, which it finds in one search, and ids in two
 */
export function joinRecords(sql: TableSql, ids: readonly string[], rowids?: readonly number[]): Statement {
  const key = rowids ? '_rowid_' : '"id"';
  // A cross join has the order of its left side: https://sqlite.org/lang_select.html#side_note_special_handling_of_cross_join_
  return sql.statement(
    `join ${key}`,
    [JSON.stringify(rowids ?? ids)],
    () =>
      `select cast(group_concat("_json") as blob) from (select ${sql.json} as "_json" ` +
      `from (select value as "_key" from json_each(${sql.param(1)})) cross join ${sql.organizationRows([`${key} = "_key"`])})`,
  );
}

/** The same, as a view shows them. */
export function joinViews(view: ProjectionSql, ids: readonly string[]): Statement {
  const { sql } = view;
  return view.statement(
    'slice',
    [JSON.stringify(ids), view.shown],
    () =>
      `select cast(string_agg("_json" || '}', ',') as blob) from ` +
      `(select ${view.json(quote(sql.table.name), sql.param(2))} as "_json" ` +
      `from (select value as "_key" from json_each(${sql.param(1)})) cross join ${sql.organizationRows(['"id" = "_key"'])})`,
  );
}

export const recordBytes = (sql: TableSql, id: string): Statement =>
  sql.statement(
    'record',
    [id],
    () => `select cast(${sql.json} as blob) from ${sql.organizationRows([`"id" = ${sql.param(1)}`])}`,
  );

/** A record without its lists of line items and its last bracket. */
export function viewBytes(view: ProjectionSql, id: string): Statement {
  const { sql } = view;
  return view.statement(
    'record',
    [id, view.shownColumns],
    () =>
      `select cast(${view.json(quote(sql.table.name), sql.param(2))} as blob) from ${sql.organizationRows([`"id" = ${sql.param(1)}`])}`,
  );
}
