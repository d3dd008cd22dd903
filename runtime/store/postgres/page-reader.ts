import type { Table } from '../../schema/table.ts';
import { quote } from '../ddl.ts';
import { shownColumns } from './dialect.ts';
import type { Statement, TableSql } from '../dml.ts';
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
    items: items?.startsWith('[') ? readChunks(query, sql, JSON.parse(items) as Length[]) : (items ?? ''),
    snapshot: snapshot ?? undefined,
  };
}

/** Reads the JSON of records, separated by commas, without those deleted by now. Long JSON is several chunks. */
async function* readChunks(query: Query, sql: TableSql, lengths: readonly Length[]): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for (const ids of idsOfChunks(sql.table, lengths)) {
    // Slices of bytes, as the engine finds a character only from the beginning. A slice may end within a character of UTF-8:
    // each byte is sent as the Latin-1 character of its number.
    const statement = sql.statement('chunks', [JSON.stringify(ids)], () => {
      const json = `string_agg(${sql.json}, ',' order by array_position(_ids, "id"))`;
      return (
        `select _at, convert_from(substring(_items from _at for ${chunkBytes}), 'LATIN1') ` +
        `from (select convert_to(${json}, 'UTF8') ` +
        `from (select array(select json_array_elements_text(${sql.at(1)}::json))) _given (_ids), ` +
        `${sql.from(['"id" = any(_ids)'])} offset 0) _joined (_items), generate_series(1, length(_items), ${chunkBytes}) _at`
      );
    });
    const rows = await query(statement, { isSlow: true, isBytes: true });
    if (rows.length > 0 && !isFirst) yield Buffer.from(',');
    if (rows.length > 0) isFirst = false;
    rows.sort(([a], [b]) => Number(a) - Number(b));
    // The consumer may free a chunk before the next one.
    for (let row = rows.shift(); row; row = rows.shift()) yield row[1] as unknown as Buffer;
  }
}

/** A record and the bytes of its strings. */
type Length = readonly [id: string, bytes: number];

/** Bytes in the JSON of a record besides its strings: the names of fields, and about 12 for a number or punctuation. */
const overheadOf = ({ columns }: Table): number => columns.reduce((sum, { name }) => sum + name.length + 12, 0);

/** Groups records whose JSON is fetched together. */
function idsOfChunks(table: Table, lengths: readonly Length[]): string[][] {
  const overhead = overheadOf(table);
  const chunks: string[][] = [];
  let room = 0;
  for (const [id, bytes] of lengths) {
    if (bytes + overhead > room) {
      chunks.push([]);
      room = chunkBytes;
    }
    chunks.at(-1)?.push(id);
    room -= bytes + overhead;
  }
  return chunks;
}

/**
 * A page in one statement, and so in one snapshot: the total, the number of its records (one more than the limit after a
 * cursor, if there are more), whether the cursor exists, and the records' JSON; of a long page the array of their lengths.
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
  const { limit, offset, after, sort } = rows;
  const { parts, values, cursorExists = 'true', total } = sql.rows({ ...rows, isReversed: fromEnd });
  const isKnown = typeof known === 'object';
  const all = [...values, ...(offset > 0 ? [offset] : []), ...(isKnown ? [known.total] : [])];
  const skipped = offset > 0 ? `${sql.at(values.length + 1)}::bigint` : '0';
  const counted = isKnown ? `select ${sql.at(all.length)}::bigint` : total.text;
  const snapshot = known === 'kept' ? 'null' : 'pg_current_snapshot()::text';
  // The planner must know the limit: it is a literal, in as many statements as clients use limits.
  const count = after === undefined ? limit : limit + 1;
  const start = `((select _count from _total) - ${skipped} - ${limit})`;
  const slice = fromEnd
    ? `limit least(${limit}, greatest(${start} + ${limit}, 0)) offset greatest(${start}, 0)`
    : `limit ${count} offset ${skipped}`;
  return sql.statement(`page ${snapshot} ${counted} ${parts.join()} ${slice}`, all, () => {
    const page = pageOf(sql, parts, offset > 0, slice, sql.rows({ ...(sort && { sort }) }).orderBy);
    // The engine knows the length of a string without reading it.
    const lengths = table.columns
      .filter(({ type }) => type === 'text')
      .map((column) => `coalesce(octet_length(${quote(column.name)}), 0)`);
    const bytes = lengths.join(' + ');
    const shown = after === undefined ? '_page' : `(select * from _page limit ${limit})`;
    return (
      `with _total (_count) as (${counted}), _page as (${page}) ` +
      `select (select _count from _total), count(*), ${cursorExists}, ` +
      `case when sum(${bytes}) + count(*) * ${overheadOf(table)} <= ${maxPageBytes} ` +
      `then (select string_agg(row_to_json(_row)::text, ',') from ${shown} _row) ` +
      `else (select json_agg(json_build_array("id", ${bytes}))::text from ${shown} _row) end, ${snapshot} from _page`
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
