import type { Table } from '../../schema/table.ts';
import { shownColumns } from './dialect.ts';
import { type Statement, type TableSql, textBytes } from '../dml.ts';
import { type Listing, maxPageBytes, type Page } from '../store.ts';
import type { Row } from './connection.ts';

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

/** Reads a page of records as JSON; see `Store.list`. */
export async function readPage(query: Query, sql: TableSql, page: Page): Promise<Listing | undefined> {
  const { limit, offset, after } = page;
  const isDeep = offset > deepOffset;
  const { total: count, isTotalCounted: isSlow } = sql.rows(page);
  const [counted] = isDeep ? await query(count, { isSlow }) : [];
  const fromEnd = isDeep && offset > Number(counted?.[0]) / 2;
  const [row] = await query(selectPage(sql, page, fromEnd), { isSlow: isSlow || isDeep || limit > shortPage });
  const [total, length, cursorExists, items] = row as Row;
  if (cursorExists === 'f') return undefined;
  return {
    total: Number(total),
    hasMore: after === undefined ? offset + Number(length) < Number(total) : Number(length) > limit,
    items: items?.startsWith('[') ? readChunks(query, sql, JSON.parse(items) as Length[]) : (items ?? ''),
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
function selectPage(sql: TableSql, page: Page, fromEnd: boolean): Statement {
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
  return sql.statement(`page ${total.text} ${ordered} ${slice}`, offset > 0 ? [...values, offset] : values, () => {
    // Of skipped rows only the ids are read.
    const rows =
      offset > 0
        ? `${sql.from([`"id" = any(array(select "id" from ${ordered} ${slice}))`])}${fromEnd ? sql.rows({}).orderBy : orderBy}`
        : `${ordered} ${slice}`;
    const bytes = textBytes(table);
    const shown = after === undefined ? '_page' : `(select * from _page limit ${limit})`;
    return (
      `with _total (_count) as (${total.text}), _page as (select ${shownColumns(table)} from ${rows}) ` +
      `select (select _count from _total), count(*), ${cursorExists}, ` +
      `case when sum(${bytes}) + count(*) * ${overheadOf(table)} <= ${maxPageBytes} ` +
      `then (select string_agg(row_to_json(_row)::text, ',') from ${shown} _row) ` +
      `else (select json_agg(json_build_array("id", ${bytes}))::text from ${shown} _row) end from _page`
    );
  });
}
