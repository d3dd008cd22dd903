import { quote } from '../sql/schema.ts';
import { shownColumns } from './dialect.ts';
import { bytesOfRow, type Dml, type Statement, type TableSql } from '../sql/table-sql.ts';
import { cursorOf, isFiltered, isIndexInListOrder, type ListQuery } from '../sql/list.ts';
import {
  type Items,
  type ItemStream,
  type Listing,
  maxPageBytes,
  type Page,
  type Projection,
} from '../records/store.ts';
import { ProjectionSql } from '../sql/projection.ts';
import type { Row } from './connection.ts';
import { sqlState } from './failure.ts';
import { bytesOfColumn, type Query, readChunks, shownParameter } from './record-chunks.ts';
import type { KnownTotal, SnapshotTotals } from './snapshot-totals.ts';

/** The source of records. */
export interface Source {
  readonly query: Query;
  readonly dml: Dml;
  readonly totals: SnapshotTotals;
}

/** Limit above which a page is slow. */
const shortPage = 100;

/** Offset above which a page is slow, and read from the nearer end of the list. */
const deepOffset = 1_000;

/** Rows found by a search above which a page takes less when all rows are gone through in the order of the list. */
const maxSorted = 10_000;

/** SQLSTATE: the database has no such function. */
const undefinedFunction = '42883';

/** Reads a page of records as JSON; see `Store.list`. */
export async function readPage(source: Source, sql: TableSql, page: Page): Promise<Listing | undefined> {
  const { query, totals } = source;
  const cursorStatement = cursorOf(sql, page);
  const [cursor] = cursorStatement ? await query(cursorStatement) : [];
  if (cursorStatement && !cursor) return undefined;
  const rows = { ...page, ...(cursor && { cursor }) };
  const isRemembered = isFiltered(page) && totals.isSupported;
  if (!isRemembered) return readRows(source, sql, rows, 'kept');
  const { total } = sql.rows(rows);
  const known = totals.get(total);
  const listing = known && (await readWithKnown(source, sql, rows, known));
  if (listing) return listing;
  // Once: where others write all the time, no total that was waited for would ever be the current one.
  const others = totals.underWay(total);
  if (others) {
    await others;
    const counted = totals.get(total);
    const other = counted && counted !== known ? await readWithKnown(source, sql, rows, counted) : undefined;
    if (other) return other;
  }
  return totals.counting(total, () => readCounted(source, sql, rows, total));
}

/** A page with a total that is known; undefined if something was written since it was counted. */
async function readWithKnown(source: Source, sql: TableSql, rows: Page & ListQuery, known: KnownTotal) {
  const listing = await readRows(source, sql, rows, known);
  return listing?.snapshot === known.version ? listing : undefined;
}

/** A page whose total is counted with it. */
async function readCounted(source: Source, sql: TableSql, rows: Page & ListQuery, total: Statement) {
  const { totals } = source;
  try {
    const listing = await readRows(source, sql, rows, 'counted');
    if (listing?.snapshot !== undefined) totals.set(total, { total: listing.total, version: listing.snapshot });
    return listing;
  } catch (error) {
    // Databases with the protocol of PostgreSQL need not have this function.
    if (sqlState(error) !== undefinedFunction) throw error;
    totals.isSupported = false;
    return readRows(source, sql, rows, 'kept');
  }
}

/** @param known the total of a filtered list, where it may be known; otherwise how it is read */
async function readRows(source: Source, sql: TableSql, rows: Page & ListQuery, known: KnownTotal | 'counted' | 'kept') {
  const { query, dml } = source;
  const { limit, offset, after, filter = [], search } = rows;
  const view = rows.view && new ProjectionSql(dml, sql, rows.view);
  const isDeep = offset > deepOffset;
  const { total: count, isTotalCounted } = sql.rows(rows);
  const isKnown = typeof known === 'object';
  const [counted] = isDeep && !isKnown ? await query(count, { isSlow: isTotalCounted }) : [];
  const fromEnd = isDeep && offset > Number(isKnown ? known.total : counted?.[0]) / 2;
  const isWalked = isKnown && !search && filter.length === 1 && isIndexInListOrder(sql, rows, 0);
  const isSlow = isDeep || limit > shortPage || (isTotalCounted && !isWalked);
  const [row] = await query(selectPage(sql, rows, fromEnd, known, view), { isSlow });
  const [total, length, cursorExists, items, snapshot] = row as Row;
  if (cursorExists === 'f') return undefined;
  return {
    total: Number(total),
    hasMore: after === undefined ? offset + Number(length) < Number(total) : Number(length) > limit,
    items: items?.startsWith('[') ? chunks(source, sql, JSON.parse(items) as string[], view) : (items ?? ''),
    snapshot: snapshot ?? undefined,
  };
}

/** Reads a record as a view shows it; see `Records.show`. */
export async function readRecord(
  source: Source,
  sql: TableSql,
  id: string,
  shown: Projection,
): Promise<Items | undefined> {
  const view = new ProjectionSql(source.dml, sql, shown);
  const statement = view.statement('show', [id, view.shown], () => {
    const parameter = shownParameter(sql, 2);
    const row = quote(sql.table.name);
    const isShort = `${view.bytes(row, parameter, bytesOfColumn)} <= ${maxPageBytes}`;
    const json = `case when ${isShort} then ${view.json(row, parameter)} || '}' end`;
    return `select ${json} from ${sql.organizationRows([`"id" = ${sql.param(1)}`])}`;
  });
  const [row] = await source.query(statement);
  return row && (row[0] ?? chunks(source, sql, [id], view));
}

/** The JSON of records that are too long to be read at once, in chunks. */
const chunks = (source: Source, sql: TableSql, ids: readonly string[], view?: ProjectionSql): ItemStream =>
  readChunks(source.query, sql, ids, view, (items, page) => readPage(source, items, page));

/**
 * A page in one statement, and so in one snapshot: the total, the number of its records (one more than the limit after a
 * cursor, if there are more), whether the cursor exists, and the records' JSON; of a long page the array of their ids.
 *
 * A distributed engine plans a statement at each execution: this one has no more parts than it needs.
 *
 * @param fromEnd counts the offset from the end of the list
 */
function selectPage(
  sql: TableSql,
  rows: Page & ListQuery,
  fromEnd: boolean,
  known: KnownTotal | 'counted' | 'kept',
  view?: ProjectionSql,
): Statement {
  const { limit, offset, after, filter = [], search, sort } = rows;
  const isKnown = typeof known === 'object';
  const isBySearch = search !== undefined && (!isKnown || known.total <= maxSorted);
  const driven = { ...rows, ...(isBySearch && { indexedCondition: filter.length }) };
  const { parts, values, cursorExists = 'true', total } = sql.rows({ ...driven, isReversed: fromEnd });
  const all = [...values, ...(offset > 0 ? [offset] : []), ...(isKnown ? [known.total] : [])];
  const skipped = offset > 0 ? `${sql.param(values.length + 1)}::bigint` : '0';
  const counted = isKnown ? `select ${sql.param(all.length)}::bigint` : total.text;
  const snapshot = known === 'kept' ? 'null' : `pg_current_snapshot() || ' ' || pg_postmaster_start_time()`;
  // The planner must know the limit: it is a literal, in as many statements as clients use limits.
  const count = after === undefined ? limit : limit + 1;
  const start = `((${counted}) - ${skipped} - ${limit})`;
  const slice = fromEnd
    ? `limit least(${limit}, greatest(${start} + ${limit}, 0)) offset greatest(${start}, 0)`
    : `limit ${count} offset ${skipped}`;
  const build = (): string => {
    const page = pageOf(sql, parts, offset > 0, slice, sql.rows({ ...(sort && { sort }) }).orderBy);
    // Evaluated after all rows are found, and only then: an aggregate would build the JSON of a long page as well.
    const parameter = shownParameter(sql, all.length + 1);
    const bytes = view ? view.bytes('_row', parameter, bytesOfColumn) : bytesOfRow(sql.table);
    const record = view ? `${view.json('_row', parameter)} || '}'` : 'row_to_json(_row)::text';
    const json = `case when sum(${bytes}) over () <= ${maxPageBytes} then ${record} end as _json`;
    const shown = (aggregate: string): string =>
      after === undefined ? aggregate : `${aggregate} filter (where _n <= ${limit})`;
    return (
      `select (${counted}), count(*), ${cursorExists}, ` +
      `coalesce(${shown(`string_agg(_json, ',')`)}, ${shown('json_agg(_id)')}::text), ${snapshot} ` +
      `from (select "id" as _id, ${after === undefined ? '' : 'row_number() over () as _n, '}${json} ` +
      `from (${page}) _row) _page`
    );
  };
  const key = `page ${snapshot} ${counted} ${parts.join()} ${slice}`;
  return view ? view.statement(key, [...all, view.shown], build) : sql.statement(key, all, build);
}

/** The query for the rows of a page. */
function pageOf(sql: TableSql, parts: readonly string[], isSkipping: boolean, slice: string, orderBy: string): string {
  const columns = shownColumns(sql.table);
  if (isSkipping) {
    // Only the ids of skipped rows are read.
    return `select ${columns} from ${sql.organizationRows([`"id" = any(array(select "id" from ${parts.join()} ${slice}))`])}${orderBy}`;
  }
  const ofParts = parts.map((part) => `select ${columns} from ${part} ${slice}`);
  return ofParts.length === 1 ? ofParts.join() : `${ofParts.map((part) => `(${part})`).join(' union all ')} ${slice}`;
}
