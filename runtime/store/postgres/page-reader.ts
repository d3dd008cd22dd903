import type { Column, Table } from '../../schema/table.ts';
import { quote } from '../ddl.ts';
import { shownColumns } from './dialect.ts';
import type { Dml, Statement, TableSql } from '../dml.ts';
import { type Items, type Listing, maxPageBytes, type Page, type View } from '../store.ts';
import { streamLists, ViewSql } from '../view.ts';
import type { Row } from './connection.ts';

export interface QueryOptions {
  /** Sent over another connection, so that quick queries do not wait for it. */
  readonly isSlow?: boolean;
  /** See `Statement.isBytes` of the connection. */
  readonly isBytes?: boolean;
}

export type Query = (statement: Statement, options?: QueryOptions) => Promise<Row[]>;

/** Bytes of a streamed page that are fetched at a time, unless a single record is longer; and of one value of a result. */
const chunkBytes = maxPageBytes / 4;

/** Limit above which a page is slow. */
const shortPage = 100;

/** Offset above which a page is slow, and read from the nearer end of the list. */
const deepOffset = 1_000;

/** Reads a page of records as JSON; see `Store.list`. */
export async function readPage(query: Query, dml: Dml, sql: TableSql, page: Page): Promise<Listing | undefined> {
  const { limit, offset, after } = page;
  const isDeep = offset > deepOffset;
  const view = page.view && new ViewSql(dml, sql, page.view);
  const { total: count, isTotalCounted: isSlow } = sql.rows(page);
  const [counted] = isDeep ? await query(count, { isSlow }) : [];
  const fromEnd = isDeep && offset > Number(counted?.[0]) / 2;
  const [row] = await query(selectPage(sql, page, fromEnd, view), { isSlow: isSlow || isDeep || limit > shortPage });
  const [total, length, cursorExists, items] = row as Row;
  if (cursorExists === 'f') return undefined;
  return {
    total: Number(total),
    hasMore: after === undefined ? offset + Number(length) < Number(total) : Number(length) > limit,
    items: items?.startsWith('[') ? readChunks(query, dml, sql, JSON.parse(items) as Length[], view) : (items ?? ''),
  };
}

/** Reads a record as a view shows it; see `Records.show`. */
export async function readRecord(
  query: Query,
  dml: Dml,
  sql: TableSql,
  id: string,
  requested: View,
): Promise<Items | undefined> {
  const view = new ViewSql(dml, sql, requested);
  const statement = view.statement('show', [id, view.shown], () => {
    const shown = parameterOf(sql, 2);
    const bytes = view.bytes('_page', shown, bytesOf);
    return (
      `with _page as (select ${shownColumns(sql.table)} from ${sql.from([`"id" = ${sql.at(1)}`])}) ` +
      `select ${bytes}, case when ${bytes} <= ${maxPageBytes} then ${view.json('_page', shown)} || '}' end from _page`
    );
  });
  const [row] = await query(statement);
  return row && (row[1] ?? readChunks(query, dml, sql, [[id, Number(row[0])]], view));
}

/** The parameter that says what a view shows. */
const parameterOf = (sql: TableSql, n: number): string => `cast(${sql.at(n)} as text)`;

/** Reads the JSON of records, separated by commas, without those deleted by now. Long JSON is several chunks. */
async function* readChunks(
  query: Query,
  dml: Dml,
  sql: TableSql,
  lengths: readonly Length[],
  view?: ViewSql,
): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for (const { ids, bytes } of chunksOf(lengths, view ? 0 : overheadOf(sql.table))) {
    const [id = ''] = ids;
    const isApart = bytes > maxPageBytes && view?.hasLists === true;
    const rows = await query(selectSlices(sql, ids, isApart, view), { isSlow: true, isBytes: true });
    if (rows.length === 0) continue;
    if (!isFirst) yield Buffer.from(',');
    isFirst = false;
    if (isApart) yield* streamLists(view, id, slicesOf(rows), (items, page) => readPage(query, dml, items, page));
    else yield* slicesOf(rows);
  }
}

/** The bytes of `selectSlices`. The consumer may free a slice before the next one. */
function* slicesOf(rows: Row[]): Generator<Uint8Array> {
  rows.sort(([a], [b]) => Number(a) - Number(b));
  for (let row = rows.shift(); row; row = rows.shift()) yield row[1] as unknown as Buffer;
}

/**
 * The JSON of records, in slices of bytes, as the engine finds a character only from the beginning. A slice may end within a
 * character of UTF-8: each byte is sent as the Latin-1 character of its number.
 *
 * @param isApart without lists of line items and the last bracket
 */
function selectSlices(sql: TableSql, ids: readonly string[], isApart: boolean, view?: ViewSql): Statement {
  const build = (): string => {
    const end = isApart ? '' : " || '}'";
    const record = view ? view.json(quote(sql.table.name), parameterOf(sql, 2)) + end : sql.json;
    const json = `string_agg(${record}, ',' order by array_position(_ids, "id"))`;
    return (
      `select _at, convert_from(substring(_items from _at for ${chunkBytes}), 'LATIN1') ` +
      `from (select convert_to(${json}, 'UTF8') ` +
      `from (select array(select json_array_elements_text(${sql.at(1)}::json))) _given (_ids), ` +
      `${sql.from(['"id" = any(_ids)'])} offset 0) _joined (_items), generate_series(1, length(_items), ${chunkBytes}) _at`
    );
  };
  const given = JSON.stringify(ids);
  if (!view) return sql.statement('chunks', [given], build);
  return view.statement(`chunks ${isApart}`, [given, isApart ? view.shownColumns : view.shown], build);
}

/** A record and the bytes of its strings. */
type Length = readonly [id: string, bytes: number];

/** Bytes in the JSON of a record besides its strings: the names of fields, and about 12 for a number or punctuation. */
const overheadOf = ({ columns }: Table): number => columns.reduce((sum, { name }) => sum + name.length + 12, 0);

/** The bytes of a column in JSON. The engine knows the length of a string without reading it. */
function bytesOf({ name, type }: Column): string {
  const overhead = name.length + 12;
  return type === 'text' ? `coalesce(octet_length(${quote(name)}), 0) + ${overhead}` : String(overhead);
}

/** Records whose JSON is fetched together. */
interface Chunk {
  readonly ids: string[];
  bytes: number;
}

/** @param overhead bytes of a record besides its length */
function chunksOf(lengths: readonly Length[], overhead: number): Chunk[] {
  const chunks: Chunk[] = [];
  for (const [id, length] of lengths) {
    const bytes = length + overhead;
    const last = chunks.at(-1);
    if (last && last.bytes + bytes <= chunkBytes) {
      last.ids.push(id);
      last.bytes += bytes;
    } else chunks.push({ ids: [id], bytes });
  }
  return chunks;
}

/**
 * A page in one statement, and so in one snapshot: the total, the number of its records (one more than the limit after a
 * cursor, if there are more), whether the cursor exists, and the records' JSON; of a long page the array of their lengths.
 *
 * @param fromEnd counts the offset from the end of the list
 */
function selectPage(sql: TableSql, page: Page, fromEnd: boolean, view?: ViewSql): Statement {
  const { table } = sql;
  const { limit, offset, after } = page;
  const { ordered, orderBy, values, cursorExists = 'true', total } = sql.rows({ ...page, isReversed: fromEnd });
  const skipped = offset > 0 ? `${sql.at(values.length + 1)}::bigint` : '0';
  // The planner must know the limit: it is a literal, in as many statements as clients use limits.
  const count = after === undefined ? limit : limit + 1;
  const start = `((select _count from _total) - ${skipped} - ${limit})`;
  const slice = fromEnd
    ? `limit least(${limit}, greatest(${start} + ${limit}, 0)) offset greatest(${start}, 0)`
    : `limit ${count} offset ${skipped}`;
  const given = offset > 0 ? [...values, offset] : values;
  const build = (): string => {
    // Of skipped rows only the ids are read.
    const rows =
      offset > 0
        ? `${sql.from([`"id" = any(array(select "id" from ${ordered} ${slice}))`])}${fromEnd ? sql.rows({}).orderBy : orderBy}`
        : `${ordered} ${slice}`;
    const shown = parameterOf(sql, given.length + 1);
    const bytes = (row: string): string => (view ? view.bytes(row, shown, bytesOf) : lengthOf(table));
    const overhead = view ? 0 : overheadOf(table);
    const json = view ? `${view.json('_row', shown)} || '}'` : 'row_to_json(_row)::text';
    const found = after === undefined ? '_page' : `(select * from _page limit ${limit})`;
    return (
      `with _total (_count) as (${total.text}), _page as (select ${shownColumns(table)} from ${rows}) ` +
      `select (select _count from _total), count(*), ${cursorExists}, ` +
      `case when sum(${bytes('_page')}) + count(*) * ${overhead} <= ${maxPageBytes} ` +
      `then (select string_agg(${json}, ',') from ${found} _row) ` +
      `else (select json_agg(json_build_array("id", ${bytes('_row')}))::text from ${found} _row) end from _page`
    );
  };
  const key = `page ${total.text} ${ordered} ${slice}`;
  return view ? view.statement(key, [...given, view.shown], build) : sql.statement(key, given, build);
}

/** The bytes of a record's strings. */
const lengthOf = ({ columns }: Table): string =>
  columns
    .filter(({ type }) => type === 'text')
    .map(({ name }) => `coalesce(octet_length(${quote(name)}), 0)`)
    .join(' + ');
