import { mayBeLarge } from '../../kernel/model/limits.ts';
import { quote } from '../../kernel/sql/schema.ts';
import { shortColumns } from './dialect.ts';
import type { TableSql } from '../../kernel/sql/table-sql.ts';
import type { Dml } from '../../kernel/sql/dml.ts';
import type { Statement } from '../../kernel/sql/types.ts';
import {
  buildList,
  cursorOf,
  isFiltered,
  isIndexInListOrder,
  type ListQuery,
  type ListSql,
} from '../../kernel/sql/list.ts';
import { BoundedMap } from '../../kernel/records/bounded-map.ts';
import type { Items, Listing, Page, Projection } from '../../kernel/records/page.ts';
import type { Row } from './connection.ts';
import { sqlState } from './failure.ts';
import type { ReadKind } from './pool.ts';
import { isShort, RecordView } from './record-view.ts';
import { isAnyLong, rowJson } from './row-json.ts';
import { cacheEntries, maxPageBytes, shortPage } from '../../kernel/records/limits.ts';
import { deepOffset, maxColumns, maxSorted } from './limits.ts';

/** The source of records. */
export interface Source {
  readonly query: (statement: Statement, kind?: ReadKind) => Promise<Row[]>;
  /** Reads in one snapshot. */
  readonly readAll: (statements: readonly Statement[], kind: ReadKind) => Promise<Row[][]>;
  /** A source without replicas, which may lack new records; undefined if none of them was asked. */
  readonly current: () => Source | undefined;
  readonly dml: Dml;
  readonly totals: SnapshotTotals;
}

/** SQLSTATE: the database has no such function. */
const undefinedFunction = '42883';

/** A total, and when it was counted. */
interface KnownTotal {
  readonly total: number;
  /**
   * The snapshot that it was counted in, and the start of the database: while both are the same, nothing was written. A database
   * that has lost transactions, as at a failover, gives their numbers to others.
   */
  readonly version: string;
}

/** Totals of filtered lists, by the statements that count them: while nothing is written, they are not counted again. */
export class SnapshotTotals extends BoundedMap<string, KnownTotal> {
  /** Whether the database tells its snapshots. */
  isSupported = true;

  constructor() {
    super(cacheEntries);
  }
}

const currentSnapshot = `pg_current_snapshot() || ' ' || pg_postmaster_start_time()`;

/** Counts rows, and selects `KnownTotal.version` beside their number: at the node that has them. */
const withSnapshot = ({ text, values }: Statement): Statement => ({
  text: text.replace('select count(*)', `select count(*), ${currentSnapshot}`),
  values,
});

/** A count that costs nothing: no row has an empty id. */
const countNone = (sql: TableSql): Statement => sql.count(sql.organizationRows([`"id" = ''`]), []);

/** How the rows of a list are counted, and from where its page is read. */
interface Counting {
  readonly count: Statement;
  /** The key of the total among those that are kept; undefined if it is not. */
  readonly key: string | undefined;
  readonly knownTotal: KnownTotal | undefined;
  /** The offset is counted from the end of the list. */
  readonly fromEnd: boolean;
  readonly kind: ReadKind;
}

async function countingOf({ query, totals }: Source, sql: TableSql, rows: Page & ListQuery): Promise<Counting> {
  const { limit, offset, filter = [], search } = rows;
  const { total: count, isTotalCounted } = buildList(sql, rows);
  const key =
    isTotalCounted && isFiltered(rows) && totals.isSupported
      ? JSON.stringify([count.text, ...count.values])
      : undefined;
  const kept = key === undefined ? undefined : totals.get(key);
  const isDeep = offset > deepOffset;
  const [first] = isDeep && !kept ? await query(count, isTotalCounted ? 'slow' : 'quick') : [];
  const fromEnd = isDeep && offset > (kept?.total ?? Number(first?.[0])) / 2;
  const knownTotal = fromEnd ? undefined : kept;
  const isReadInListOrder = knownTotal && !search && filter.length === 1 && isIndexInListOrder(sql, rows, 0);
  const isSlow = isDeep || limit > shortPage || (isTotalCounted && !isReadInListOrder);
  return { count, key, knownTotal, fromEnd, kind: isSlow ? 'slow' : 'quick' };
}

/** Reads a page of records as JSON; see `Store.list`. */
export async function readPage(source: Source, sql: TableSql, page: Page): Promise<Listing | undefined> {
  const { query, totals, dml } = source;
  const { limit, offset, after, search, projection } = page;
  const cursorStatement = cursorOf(sql, page);
  const [cursor] = cursorStatement ? await query(cursorStatement) : [];
  if (cursorStatement && !cursor) return undefined;
  const rows = { ...page, ...(cursor && { cursor }) };
  const { count, key, knownTotal, fromEnd, kind } = await countingOf(source, sql, rows);
  const view = new RecordView(dml, sql, projection);
  const length = lengthIn(sql, limit);
  const counting = knownTotal ? countNone(sql) : count;
  const counts = key === undefined ? counting : withSnapshot(counting);
  const selected = selectRows(view, rows, length, fromEnd, knownTotal?.total);
  const isJoined = (search !== undefined || fromEnd) && !knownTotal;
  try {
    const results = await source.readAll(isJoined ? [joined(counts, selected)] : [selected, counts], kind);
    const [pageRows = [], [[counted, version] = []] = []] = isJoined ? apart(results[0] ?? [], key ? 2 : 1) : results;
    if (knownTotal && knownTotal.version !== version) {
      totals.delete(key as string);
      return await readPage(source, sql, page);
    }
    const total = knownTotal?.total ?? Number(counted);
    if (key !== undefined && version) totals.set(key, { total, version });
    const hasMore = after === undefined ? offset + pageRows.length < total : pageRows.length > limit;
    return { total, hasMore, items: await itemsOf(source, view, pageRows.slice(0, limit), length) };
  } catch (error) {
    // Databases with the protocol of PostgreSQL need not have this function.
    if (key === undefined || sqlState(error) !== undefinedFunction) throw error;
    totals.isSupported = false;
    return readPage(source, sql, page);
  }
}

/** Characters that a value in a page of so many rows may have, if it is read as columns. */
const lengthIn = (sql: TableSql, limit: number): number => Math.floor(maxColumns / (limit * sql.table.columns.length));

/** The JSON of the rows of a page, or of its first ones if it is too long. @param length see `selectRows` */
async function itemsOf(source: Source, view: RecordView, rows: readonly Row[], length: number): Promise<Items> {
  const ids = rows.map(([id]) => String(id));
  if (view.isExpanded) return rows.some(([, json]) => json === null) ? { ids } : rows.map(([, json]) => json).join();
  if (isAnyLong(rows, length)) {
    const mayBeShort = ids.length <= shortPage && !view.areLarge;
    return (mayBeShort ? await readTogether(source, view, ids) : undefined) ?? { ids };
  }
  const json = rows.map((row) => rowJson(view.sql.table, row, view.fields));
  let bytes = 0;
  const at = json.findIndex((record) => (bytes += Buffer.byteLength(record)) > maxPageBytes);
  if (at === -1) return json.join();
  return { first: at === 0 ? [] : [Buffer.from(json.slice(0, at).join())], ids: ids.slice(at) };
}

/** See `Records.show`. */
export async function readRecords(
  source: Source,
  sql: TableSql,
  ids: readonly string[],
  projection?: Projection,
): Promise<string | undefined> {
  const view = new RecordView(source.dml, sql, projection);
  const [id] = ids;
  if (id === undefined || mayBeLarge(sql.table) || view.isExpanded) return readTogether(source, view, ids);
  if (ids.length === 1) {
    const [row] = await source.query(sql.get(id));
    return row ? rowJson(sql.table, row, view.fields) : '';
  }
  const length = lengthIn(sql, shortPage);
  const rows = await source.query(selectAll(sql, ids, length), 'slow');
  const current = rows.length < ids.length ? source.current() : undefined;
  if (current) return readRecords(current, sql, ids, projection);
  if (isAnyLong(rows, length)) return readTogether(source, view, ids);
  const json = rows.map((row) => rowJson(sql.table, row, view.fields)).join();
  return Buffer.byteLength(json) <= maxPageBytes ? json : undefined;
}

/** Selects the columns of these records in their order. */
const selectAll = (sql: TableSql, ids: readonly string[], length: number): Statement =>
  sql.statement('columns of all', [ids], () => {
    const list = `cast(${sql.param(1)} as text[])`;
    const rows = sql.organizationRows([`"id" = any(${list})`]);
    return `select ${shortColumns(sql.table, length)} from ${rows} order by array_position(${list}, "id")`;
  });

/** The JSON of records, which the engine makes. */
async function readTogether(source: Source, view: RecordView, ids: readonly string[]): Promise<string | undefined> {
  const [[count, json] = []] = await source.query(selectTogether(view, ids), 'slow');
  const current = Number(count) < ids.length ? source.current() : undefined;
  if (current) return readTogether(current, view, ids);
  return json ?? (count === '0' ? '' : undefined);
}

/** Selects how many of these records are there, and their JSON; null if it is too long. */
function selectTogether(view: RecordView, ids: readonly string[]): Statement {
  const { sql } = view;
  const isAlone = ids.length === 1;
  return view.statement(`together ${isAlone}`, [JSON.stringify(ids)], () => {
    const list = `(select array(select json_array_elements_text(${sql.param(1)}::json))) _given (_ids)`;
    const rows = `${list}, ${sql.organizationRows(['"id" = any(_ids)'])} offset 0`;
    const json = view.json(quote(sql.table.name), 2);
    const joined = `string_agg(_json, ',' order by _place)`;
    return (
      `select count(*), ${isAlone ? joined : `case when ${isShort()} then ${joined} end`} ` +
      `from (select array_position(_ids, "id") as _place, ${json} as _json from ${rows}) _shown`
    );
  });
}

/** The total of a list, as `withTotal` names it. */
const ownTotal = '(select _count from _total)';

const withTotal = (total: string, query: string): string => `with _total (_count) as materialized (${total}) ${query}`;

/** The columns that `counts` selects, before those of each row of a page; nulls follow them if the page has none. */
const joined = (counts: Statement, { text, values }: Statement): Statement => ({
  text: withTotal(counts.text, `select _total.*, _page.* from _total left join (${text}) as _page on true`),
  values,
});

/** The results of both statements, of that of `joined`. @param width columns of the first one */
const apart = (rows: readonly Row[], width: number): Row[][] => [
  rows.filter((row) => row[width] !== null).map((row) => row.slice(width)),
  rows.slice(0, 1),
];

/**
 * The rows of a page. How many rows a search finds says how they are found soonest: few by its index, of many the first ones in
 * the order of the list. The database chooses, where it counts them in the same statement.
 *
 * @param total the number of rows of the list, if it is known; otherwise the statement is one of `withTotal`
 */
function partsOf(sql: TableSql, rows: Page & ListQuery, total?: number): ListSql {
  const { filter = [], search } = rows;
  if (!search) return buildList(sql, rows);
  const bySearch = { ...rows, indexedCondition: filter.length };
  const inOrder = { ...rows, indexedCondition: 'none' } as const;
  if (total !== undefined) return buildList(sql, total <= maxSorted ? bySearch : inOrder);
  const few = buildList(sql, { ...bySearch, onlyIf: `${ownTotal} <= ${maxSorted}` });
  const many = buildList(sql, { ...inOrder, onlyIf: `${ownTotal} > ${maxSorted}` });
  return { ...few, parts: [...few.parts, ...many.parts] };
}

/**
 * The rows of a page, one more than its limit behind a cursor if there are more: their columns, or their ids and their JSON if a
 * view shows other records with them, null if it is too long together.
 *
 * @param length characters that a value may have: of a longer one it is the beginning
 * @param fromEnd the offset is counted from the end of the list: the statement is one of `withTotal`
 * @param total the number of rows of the list; without it, so is the statement of a search
 */
function selectRows(
  view: RecordView,
  rows: Page & ListQuery,
  length: number,
  fromEnd: boolean,
  total: number | undefined,
): Statement {
  const { sql } = view;
  const { limit, offset, after, sort } = rows;
  const { parts, values } = partsOf(sql, { ...rows, isReversed: fromEnd }, total);
  const all = offset > 0 ? [...values, offset] : values;
  const skipped = `${sql.param(all.length)}::bigint`;
  const start = `(${ownTotal} - ${skipped} - ${limit})`;
  // The planner must know the limit: it is a literal, in as many statements as clients use limits.
  const count = after === undefined ? limit : limit + 1;
  const slice = fromEnd ? `limit least(${limit}, greatest(${start} + ${limit}, 0))` : `limit ${count}`;
  const skipping = fromEnd ? ` offset greatest(${start}, 0)` : offset > 0 ? ` offset ${skipped}` : '';
  const key = `rows ${parts.join()} ${slice}${skipping}`;
  if (offset === 0 && !view.isExpanded) {
    return sql.statement(key, all, () => rowsOf(parts, shortColumns(sql.table, length), slice, skipping));
  }
  // Only the ids of skipped rows are read.
  const build = (columns: string): string =>
    `select ${columns} from ${sql.organizationRows([`"id" = any(array(${rowsOf(parts, '"id"', slice, skipping)}))`])}` +
    buildList(sql, { ...(sort && { sort }) }).orderBy;
  if (!view.isExpanded) return sql.statement(key, all, () => build(shortColumns(sql.table, length)));
  return view.statement(key, all, () => {
    const json = build(`"id" as _id, ${view.json(quote(sql.table.name), all.length + 1)} as _json`);
    return `select _id, case when ${isShort(' over ()')} then _json end from (${json} offset 0) _shown`;
  });
}

/** The query for the first rows of several parts. Behind an offset, only one of them has rows. */
function rowsOf(parts: readonly string[], columns: string, slice: string, skipping: string): string {
  const ofParts = parts.map((part) => `select ${columns} from ${part} ${slice}${skipping}`);
  return ofParts.length === 1 ? ofParts.join() : `${ofParts.map((part) => `(${part})`).join(' union all ')} ${slice}`;
}
