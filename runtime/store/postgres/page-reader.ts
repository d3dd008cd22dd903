import type { Table } from '../../schema/table.ts';
import { shownColumns } from './dialect.ts';
import { type Statement, type TableSql, textBytes } from '../dml.ts';
import { KnownTotals } from '../known-totals.ts';
import { cursorOf, isFiltered, isWalk, type Rows } from '../rows.ts';
import { type Listing, maxPageBytes, type Page } from '../store.ts';
import type { Row } from './connection.ts';
import { sqlState } from './failure.ts';

export interface QueryOptions {
  /** Sent over another connection, so that quick queries do not wait for it. */
  readonly isSlow?: boolean;
  /** See `Statement.isBytes` of the connection. */
  readonly isBytes?: boolean;
}

type Query = (statement: Statement, options?: QueryOptions) => Promise<Row[]>;

/** Bytes of a streamed page that are fetched at a time, unless a single record is longer; and of one value of a result. */
const chunkBytes = maxPageBytes / 4;

/** Limit above which a page is slow. */
const shortPage = 100;

/** Offset above which a page is slow, and read from the nearer end of the list. */
const deepOffset = 1_000;

/** Rows found by a search above which a page takes less when all rows are gone through in the order of the list. */
const maxSorted = 10_000;

/** SQLSTATE: the database has no such function. */
const undefinedFunction = '42883';

/** A total, and the snapshot that it was counted in: while it is the same, nobody has written. */
type KnownTotal = NonNullable<ReturnType<KnownTotals<string>['get']>>;

/** The totals of filtered lists, as long as nobody writes. */
export class SnapshotTotals extends KnownTotals<string> {
  /** Whether the database tells its snapshots. */
  isSupported: boolean;

  /** @param isSupported not of replicas: a snapshot of theirs does not name the transactions that are in progress */
  constructor(isSupported: boolean) {
    super();
    this.isSupported = isSupported;
  }
}

/** Reads a page of records as JSON; see `Store.list`. */
export async function readPage(
  query: Query,
  totals: SnapshotTotals,
  sql: TableSql,
  page: Page,
): Promise<Listing | undefined> {
  const cursorStatement = cursorOf(sql, page);
  const [cursor] = cursorStatement ? await query(cursorStatement) : [];
  if (cursorStatement && !cursor) return undefined;
  const rows = { ...page, ...(cursor && { cursor }) };
  const isRemembered = isFiltered(page) && totals.isSupported;
  const known = isRemembered ? totals.get(sql.rows(rows).total) : undefined;
  if (known) {
    const listing = await readRows(query, sql, rows, known);
    if (listing?.snapshot === known.version) return listing;
  }
  try {
    const listing = await readRows(query, sql, rows, isRemembered ? 'counted' : 'kept');
    if (listing?.snapshot !== undefined)
      totals.set(sql.rows(rows).total, { total: listing.total, version: listing.snapshot });
    return listing;
  } catch (error) {
    // Databases with the protocol of PostgreSQL need not have this function.
    if (!isRemembered || sqlState(error) !== undefinedFunction) throw error;
    totals.isSupported = false;
    return readRows(query, sql, rows, 'kept');
  }
}

/** @param known the total of a filtered list, where it may be known; otherwise how it is read */
async function readRows(query: Query, sql: TableSql, rows: Page & Rows, known: KnownTotal | 'counted' | 'kept') {
  const { limit, offset, after, filter = [], search } = rows;
  const isDeep = offset > deepOffset;
  const { total: count, isTotalCounted } = sql.rows(rows);
  const isKnown = typeof known === 'object';
  const [counted] = isDeep && !isKnown ? await query(count, { isSlow: isTotalCounted }) : [];
  const fromEnd = isDeep && offset > Number(isKnown ? known.total : counted?.[0]) / 2;
  const isWalked = isKnown && !search && filter.length === 1 && filter.every(isWalk) && !rows.sort;
  const isSlow = isDeep || limit > shortPage || (isTotalCounted && !isWalked);
  const [row] = await query(selectPage(sql, rows, fromEnd, known), { isSlow });
  const [total, length, cursorExists, items, snapshot] = row as Row;
  if (cursorExists === 'f') return undefined;
  return {
    total: Number(total),
    hasMore: after === undefined ? offset + Number(length) < Number(total) : Number(length) > limit,
    items: items?.startsWith('[') ? readChunks(query, sql, JSON.parse(items) as string[]) : (items ?? ''),
    snapshot: snapshot ?? undefined,
  };
}

/** Reads the JSON of records, separated by commas, without those deleted by now. Long JSON is several chunks. */
async function* readChunks(query: Query, sql: TableSql, ids: readonly string[]): AsyncGenerator<Uint8Array> {
  const rows = await query(selectLengths(sql, ids), { isSlow: true });
  const lengths = new Map(rows.map(([id, bytes]) => [id, Number(bytes)] as const));
  let isFirst = true;
  for (const chunk of idsOfChunks(sql.table, ids, lengths)) {
    // Slices of bytes, as the engine finds a character only from the beginning. A slice may end within a character of UTF-8:
    // each byte is sent as the Latin-1 character of its number.
    const statement = sql.statement('chunks', [JSON.stringify(chunk)], () => {
      const json = `string_agg(${sql.json}, ',' order by array_position(_ids, "id"))`;
      return (
        `select _at, convert_from(substring(_items from _at for ${chunkBytes}), 'LATIN1') ` +
        `from (select convert_to(${json}, 'UTF8') ` +
        `from (select array(select json_array_elements_text(${sql.at(1)}::json))) _given (_ids), ` +
        `${sql.from(['"id" = any(_ids)'])} offset 0) _joined (_items), generate_series(1, length(_items), ${chunkBytes}) _at`
      );
    });
    const slices = await query(statement, { isSlow: true, isBytes: true });
    if (slices.length > 0 && !isFirst) yield Buffer.from(',');
    if (slices.length > 0) isFirst = false;
    slices.sort(([a], [b]) => Number(a) - Number(b));
    // The consumer may free a chunk before the next one.
    for (let slice = slices.shift(); slice; slice = slices.shift()) yield slice[1] as unknown as Buffer;
  }
}

/** Bytes in the JSON of a record besides its strings: the names of fields, and about 12 for a number or punctuation. */
const overheadOf = ({ columns }: Table): number => columns.reduce((sum, { name }) => sum + name.length + 12, 0);

/** Groups records whose JSON is fetched together. */
function idsOfChunks(table: Table, ids: readonly string[], lengths: ReadonlyMap<unknown, number>): string[][] {
  const overhead = overheadOf(table);
  const chunks: string[][] = [];
  let room = 0;
  for (const id of ids) {
    const bytes = (lengths.get(id) ?? 0) + overhead;
    if (bytes > room) {
      chunks.push([]);
      room = chunkBytes;
    }
    chunks.at(-1)?.push(id);
    room -= bytes;
  }
  return chunks;
}

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
  rows: Page & Rows,
  fromEnd: boolean,
  known: KnownTotal | 'counted' | 'kept',
): Statement {
  const { table } = sql;
  const { limit, offset, after, filter = [], search, sort } = rows;
  const isKnown = typeof known === 'object';
  const isBySearch = search !== undefined && (!isKnown || known.total <= maxSorted);
  const driven = { ...rows, ...(isBySearch && { driver: filter.length }) };
  const { parts, values, cursorExists = 'true', total } = sql.rows({ ...driven, isReversed: fromEnd });
  const all = [...values, ...(offset > 0 ? [offset] : []), ...(isKnown ? [known.total] : [])];
  const skipped = offset > 0 ? `${sql.at(values.length + 1)}::bigint` : '0';
  const counted = isKnown ? `select ${sql.at(all.length)}::bigint` : total.text;
  const snapshot = known === 'kept' ? 'null' : 'pg_current_snapshot()::text';
  // The planner must know the limit: it is a literal, in as many statements as clients use limits.
  const count = after === undefined ? limit : limit + 1;
  const start = `((${counted}) - ${skipped} - ${limit})`;
  const slice = fromEnd
    ? `limit least(${limit}, greatest(${start} + ${limit}, 0)) offset greatest(${start}, 0)`
    : `limit ${count} offset ${skipped}`;
  return sql.statement(`page ${snapshot} ${counted} ${parts.join()} ${slice}`, all, () => {
    const page = pageOf(sql, parts, offset > 0, slice, sql.rows({ ...(sort && { sort }) }).orderBy);
    // Evaluated after all rows are found, and only then: an aggregate would build the JSON of a long page as well.
    const isShort = `sum(${textBytes(table)}) over () + count(*) over () * ${overheadOf(table)} <= ${maxPageBytes}`;
    const json = `case when ${isShort} then row_to_json(_row)::text end as _json`;
    const shown = (aggregate: string): string =>
      after === undefined ? aggregate : `${aggregate} filter (where _n <= ${limit})`;
    return (
      `select (${counted}), count(*), ${cursorExists}, ` +
      `coalesce(${shown(`string_agg(_json, ',')`)}, ${shown('json_agg(_id)')}::text), ${snapshot} ` +
      `from (select "id" as _id, ${after === undefined ? '' : 'row_number() over () as _n, '}${json} ` +
      `from (${page}) _row) _page`
    );
  });
}

/** The query for the rows of a page. */
function pageOf(sql: TableSql, parts: readonly string[], isSkipping: boolean, slice: string, orderBy: string): string {
  const columns = shownColumns(sql.table);
  if (isSkipping) {
    // Of skipped rows only the ids are read.
    return `select ${columns} from ${sql.from([`"id" = any(array(select "id" from ${parts.join()} ${slice}))`])}${orderBy}`;
  }
  const ofParts = parts.map((part) => `select ${columns} from ${part} ${slice}`);
  return ofParts.length === 1 ? ofParts.join() : `${ofParts.map((part) => `(${part})`).join(' union all ')} ${slice}`;
}

/** The bytes of the strings of records, by their ids. */
const selectLengths = (sql: TableSql, ids: readonly string[]): Statement =>
  sql.statement('lengths', [JSON.stringify(ids)], () => {
    const given = `"id" = any(array(select json_array_elements_text(${sql.at(1)}::json)))`;
    return `select "id", ${textBytes(sql.table)} from ${sql.from([given])}`;
  });
