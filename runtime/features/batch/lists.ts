import { maxBatchResults, maxListLimit } from '../../kernel/model/limits.ts';
import type { Page } from '../../kernel/records/page.ts';
import type { Effect, ListRead, ListState, OrganizationWrite } from '../../kernel/records/write.ts';
import type { Dml } from '../../kernel/sql/dml.ts';
import { buildList, type ListSql } from '../../kernel/sql/list.ts';
import { addCount, counterOwner, type RowCounts, unlistedCounter } from '../../kernel/sql/row-counters.ts';
import { quote, versionColumn } from '../../kernel/sql/schema.ts';
import type { TableSql } from '../../kernel/sql/table-sql.ts';
import type { Row, Statement, Steps } from '../../kernel/sql/types.ts';

type Reordered = Extract<Effect, { outcome: 'reordered' }>;

/** A list, and the statement that reads its state. */
export interface Selection extends ListRead {
  readonly sql: TableSql;
  readonly rows: ListSql;
  /** Its first rows, as they follow `from`. */
  readonly first: string;
  readonly state: Statement;
}

export function selectionOf(sql: TableSql, list: ListRead): Selection {
  const rows = buildList(sql, list.page);
  const first = `${rows.parts.join()} limit ${list.page.limit}`;
  const versions = (): Statement => sql.statement(`select "id", ${quote(versionColumn)} from ${first}`, rows.values);
  return { ...list, sql, rows, first, state: list.isCount ? rows.total : versions() };
}

/** See `ListState`. @param found by the statement @param counts of writes whose row counters are still to change */
export function stateOf(
  { sql, rows, page, isCount }: Selection,
  found: readonly Row[] = [],
  counts: RowCounts,
): string {
  if (!isCount) return found.map((row) => row.join(' ')).join();
  return String(Number(found[0]?.[0]) + (rows.isTotalCounted ? 0 : uncounted(sql, page, counts)));
}

/** The number of rows of a list that row counters do not have yet. */
function uncounted(sql: TableSql, { where = {}, filter: [condition] = [] }: Page, counts: RowCounts): number {
  const all = counts.pending(sql, counterOwner(sql, where));
  if (!condition) return all;
  // It asks for those that lists leave out, or for the others.
  const unlisted = counts.pending(sql, unlistedCounter);
  return condition.values[0] === true ? all - unlisted : unlisted;
}

/** Reads a list as the writes before leave it. @returns undefined if its strings have more than `maxBytes` */
export function* readList(
  sql: TableSql,
  list: ListRead,
  counts: RowCounts,
  maxBytes = maxBatchResults,
): Steps<ListState | undefined> {
  const selection = selectionOf(sql, list);
  const { first, rows, isCount } = selection;
  const bytes = isCount ? [] : [sql.statement(sql.selectBytes(first), rows.values)];
  // The state comes first: a record that changes meanwhile has another version than that.
  const [found, sums] = yield { statements: [selection.state, ...bytes], keepsTransactionOpen: true };
  const state = stateOf(selection, found, counts);
  if (isCount) return { state, items: '' };
  if (Number(sums?.[0]?.[0]) > maxBytes) return undefined;
  const records = sql.statement(sql.dialect.selectJson(sql.table, first), rows.values);
  const [shown = []] = yield { statements: [records], keepsTransactionOpen: true };
  return { state, items: shown.map(([json]) => json as string).join() };
}

/**
 * The first page of the items of a parent, as the writes before have left them: the next ones may change it.
 *
 * @returns undefined if its strings have more than `maxBytes`
 */
export function* firstPage(
  dml: Dml,
  { table, organization }: OrganizationWrite,
  where: Reordered['parent'],
  counts: RowCounts,
  maxBytes: number,
): Steps<Reordered['page']> {
  const sql = dml.of(table, organization);
  const page = { where, limit: maxListLimit, offset: 0 };
  const list = yield* readList(sql, { table, page }, counts, maxBytes);
  if (!list) return undefined;
  const number = selectionOf(sql, { table, page, isCount: true });
  const [rows] = yield { statements: [number.state], keepsTransactionOpen: true };
  const total = Number(stateOf(number, rows, counts));
  return { items: list.items, hasMore: total > maxListLimit, total };
}

/**
 * Has writes that rely on lists take turns within an organization: two of them would not see each other's records until they
 * commit. The row of the lock is a counter that stays 0.
 */
export const lockLists = ({ dialect, organization }: TableSql): Statement => ({
  text: addCount(`values (${dialect.parameter(1)}, '_lists', '', 0, 0)`),
  values: [organization],
});
