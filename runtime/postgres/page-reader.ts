import { mayBeLarge } from '../model/limits.ts';
import { quote } from '../sql/schema.ts';
import { shortColumns, shownColumns } from './dialect.ts';
import type { TableSql } from '../sql/table-sql.ts';
import type { Dml } from '../sql/dml.ts';
import type { Statement } from '../sql/types.ts';
import { buildList, cursorOf, isFiltered, isIndexInListOrder, type ListQuery, type ListSql } from '../sql/list.ts';
import { BoundedMap } from '../records/bounded-map.ts';
import type { Items, ItemStream, Listing, Page, Projection } from '../records/page.ts';
import { ProjectionSql, withCommas } from '../sql/projection.ts';
import type { Row } from './connection.ts';
import { sqlState } from './failure.ts';
import type { ReadKind } from './pool.ts';
import { isShort, type Query, readParts, ShownRecords } from './record-chunks.ts';
import { isAnyLong, rowJson } from './row-json.ts';
import { cacheEntries, maxPageBytes, shortPage } from '../records/limits.ts';
import { deepOffset, maxColumns, maxSorted } from './limits.ts';

/** The source of records. */
export interface Source {
  readonly query: Query;
  /** Reads in one snapshot. */
  readonly readAll: (statements: readonly Statement[], kind: ReadKind) => Promise<Row[][]>;
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
  /** Whether the database tells its snapshots. A snapshot of a replica does not name the transactions that are in progress. */
  isSupported: boolean;

  constructor(isSupported: boolean) {
    super(cacheEntries);
    this.isSupported = isSupported;
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

/** Reads a page of records as JSON; see `Store.list`. */
export async function readPage(source: Source, sql: TableSql, page: Page): Promise<Listing | undefined> {
  const { query, dml } = source;
  const { limit, offset, projection } = page;
  const cursorStatement = cursorOf(sql, page);
  const [cursor] = cursorStatement ? await query(cursorStatement) : [];
  if (cursorStatement && !cursor) return undefined;
  const rows = { ...page, ...(cursor && { cursor }) };
  const shown = new ShownRecords(sql, projection && new ProjectionSql(dml, sql, projection));
  const isDeep = offset > deepOffset;
  if (limit <= shortPage && !isDeep && !shown.areLarge && !shown.projection?.isExpanded) {
    const found = await readColumns(source, sql, rows);
    return (
      found ?? readJson(source, { shown, rows, fromEnd: false }, 'slow', new ShownRecords(sql, shown.projection, true))
    );
  }
  const { total, isTotalCounted } = buildList(sql, rows);
  const [counted] = isDeep ? await query(total, isTotalCounted ? 'slow' : 'quick') : [];
  const fromEnd = isDeep && offset > Number(counted?.[0]) / 2;
  const kind = isDeep || limit > shortPage || isTotalCounted ? 'slow' : 'quick';
  return readJson(source, { shown, rows, fromEnd }, kind);
}

/** A page, and where its rows are. */
interface Reading {
  readonly shown: ShownRecords;
  readonly rows: Page & ListQuery;
  /** The offset is counted from the end of the list. */
  readonly fromEnd: boolean;
}

const hasMore = ({ limit, offset, after }: Page, total: number, found: number): boolean =>
  after === undefined ? offset + found < total : found > limit;

/** Reads a page as columns, in fewer of the database's time than as JSON; undefined if one of its values may be long. */
async function readColumns(source: Source, sql: TableSql, rows: Page & ListQuery): Promise<Listing | undefined> {
  const { readAll, totals } = source;
  const { limit, filter = [], search, projection } = rows;
  const { total: count, isTotalCounted } = buildList(sql, rows);
  const isKept = isFiltered(rows) && totals.isSupported;
  const key = JSON.stringify([count.text, ...count.values]);
  const known = isKept ? totals.get(key) : undefined;
  const isReadInListOrder = known && !search && filter.length === 1 && isIndexInListOrder(sql, rows, 0);
  const length = Math.floor(maxColumns / (limit * sql.table.columns.length));
  const counting = known ? countNone(sql) : count;
  const counts = isKept ? withSnapshot(counting) : counting;
  const page = selectColumns(sql, rows, length, known?.total);
  const isJoined = search !== undefined && !known;
  try {
    const statements = isJoined ? [joined(counts, page)] : [page, counts];
    const results = await readAll(statements, isTotalCounted && !isReadInListOrder ? 'slow' : 'quick');
    const [found = [], [[counted, version] = []] = []] = isJoined ? apart(results[0] ?? [], isKept ? 2 : 1) : results;
    if (known && known.version !== version) {
      totals.delete(key);
      return await readColumns(source, sql, rows);
    }
    const total = known?.total ?? Number(counted);
    if (isKept && version) totals.set(key, { total, version });
    if (isAnyLong(found, length)) return undefined;
    const items = found.slice(0, limit).map((row) => rowJson(sql.table, row, projection?.fields));
    const json = items.join();
    // It is streamed.
    if (Buffer.byteLength(json) > maxPageBytes) return undefined;
    return { total, hasMore: hasMore(rows, total, found.length), items: json };
  } catch (error) {
    // Databases with the protocol of PostgreSQL need not have this function.
    if (!isKept || sqlState(error) !== undefinedFunction) throw error;
    totals.isSupported = false;
    return readColumns(source, sql, rows);
  }
}

/** Reads a page as JSON that the engine makes. @param asked its records, if they are known to be long */
async function readJson(source: Source, reading: Reading, kind: ReadKind, asked = reading.shown): Promise<Listing> {
  const { shown, rows } = reading;
  const [row] = await source.query(selectPage({ ...reading, shown: asked }), kind);
  const [total, length, items] = row as Row;
  return {
    total: Number(total),
    hasMore: hasMore(rows, Number(total), Number(length)),
    items: items?.startsWith('[') ? chunks(source, shown, JSON.parse(items) as string[]) : (items ?? ''),
  };
}

/** Reads a record as a projection shows it; see `Records.show`. */
export async function readRecord(
  source: Source,
  sql: TableSql,
  id: string,
  projection: Projection,
): Promise<Items | undefined> {
  const shown = new ShownRecords(sql, new ProjectionSql(source.dml, sql, projection));
  if (!mayBeLarge(sql.table) && !shown.projection?.isExpanded) {
    const [row] = await source.query(sql.get(id));
    return row && rowJson(sql.table, row, projection.fields);
  }
  const json = shown.areLarge ? 'null' : shown.json(quote(sql.table.name), 2);
  const statement = shown.statement(`show ${shown.areLarge}`, [id], () => {
    const rows = `select ${json} from ${sql.organizationRows([`"id" = ${sql.param(1)}`])}`;
    return `select case when octet_length(_json) <= ${maxPageBytes} then _json end from (${rows} offset 0) _shown (_json)`;
  });
  const [row] = await source.query(statement);
  return row && (row[0] ?? chunks(source, shown, [id]));
}

/** The JSON of records that are too long to be read at once, in chunks. */
const chunks = (source: Source, records: ShownRecords, ids: readonly string[]): ItemStream =>
  withCommas(readParts(source.query, records, ids, (items, page) => readPage(source, items, page)));

/**
 * The columns of the rows of a page that is not deep; no value has more than some characters.
 *
 * @param total the number of rows of the list; without it, the page of a search is behind its total: see `withTotal`
 */
function selectColumns(sql: TableSql, rows: Page & ListQuery, length: number, total?: number): Statement {
  const { limit, offset, after } = rows;
  const { parts, values } = partsOf(sql, rows, total);
  const slice = `limit ${after === undefined ? limit : limit + 1}`;
  const skipping = offset > 0 ? ` offset ${sql.param(values.length + 1)}::bigint` : '';
  const all = offset > 0 ? [...values, offset] : values;
  return sql.statement(`columns ${parts.join()} ${slice}${skipping}`, all, () =>
    rowsOf(parts, shortColumns(sql.table, length), slice, skipping),
  );
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
  const inOrder = { ...rows, indexedCondition: -1 };
  if (total !== undefined) return buildList(sql, total <= maxSorted ? bySearch : inOrder);
  const few = buildList(sql, { ...bySearch, onlyIf: `${ownTotal} <= ${maxSorted}` });
  const many = buildList(sql, { ...inOrder, onlyIf: `${ownTotal} > ${maxSorted}` });
  return { ...few, parts: [...few.parts, ...many.parts] };
}

/**
 * A page in one statement, and so in one snapshot: the total, the number of its records (one more than the limit after a
 * cursor, if there are more), and the records' JSON; of a long page the array of their ids.
 */
function selectPage({ shown: records, rows, fromEnd }: Reading): Statement {
  const { sql } = records;
  const { limit, offset, after, sort } = rows;
  const { parts, values, total } = partsOf(sql, { ...rows, isReversed: fromEnd });
  const all = offset > 0 ? [...values, offset] : values;
  const skipped = offset > 0 ? `${sql.param(values.length + 1)}::bigint` : '0';
  // The planner must know the limit: it is a literal, in as many statements as clients use limits.
  const count = after === undefined ? limit : limit + 1;
  const start = `(${ownTotal} - ${skipped} - ${limit})`;
  const slice = fromEnd ? `limit least(${limit}, greatest(${start} + ${limit}, 0))` : `limit ${count}`;
  const skipping = ` offset ${fromEnd ? `greatest(${start}, 0)` : skipped}`;
  const build = (): string => {
    const page = pageOf(sql, parts, offset > 0, slice, skipping, buildList(sql, { ...(sort && { sort }) }).orderBy);
    const json = records.jsonInPage('_row', all.length + 1);
    const number = after === undefined ? '' : ', row_number() over () as _n';
    const ofPage = (aggregate: string): string =>
      after === undefined ? aggregate : `${aggregate} filter (where _n <= ${limit})`;
    const selected =
      `select ${ownTotal}, count(*), ` +
      `coalesce(${ofPage(`string_agg(_short, ',')`)}, ${ofPage('json_agg(_id)')}::text) ` +
      `from (select _id, case when ${isShort(' over ()')} then _json end as _short${number} ` +
      `from (select "id" as _id, ${json} as _json from (${page}) _row offset 0) _shown) _page`;
    return withTotal(total.text, selected);
  };
  const key = `page ${records.areLarge} ${total.text} ${parts.join()} ${slice}${skipping}`;
  return records.statement(key, all, build);
}

/** The query for the rows of a page. */
function pageOf(
  sql: TableSql,
  parts: readonly string[],
  isSkipping: boolean,
  slice: string,
  skipping: string,
  orderBy: string,
): string {
  const columns = shownColumns(sql.table);
  if (!isSkipping) return rowsOf(parts, columns, slice, skipping);
  // Only the ids of skipped rows are read.
  const ids = rowsOf(parts, '"id"', slice, skipping);
  return `select ${columns} from ${sql.organizationRows([`"id" = any(array(${ids}))`])}${orderBy}`;
}

/** The query for the first rows of several parts. Behind an offset, only one of them has rows. */
function rowsOf(parts: readonly string[], columns: string, slice: string, skipping: string): string {
  const ofParts = parts.map((part) => `select ${columns} from ${part} ${slice}${skipping}`);
  return ofParts.length === 1 ? ofParts.join() : `${ofParts.map((part) => `(${part})`).join(' union all ')} ${slice}`;
}
