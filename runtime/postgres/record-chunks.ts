import type { MaybePromise } from '../model/maybe-promise.ts';
import type { Column } from '../model/table.ts';
import { quote } from '../sql/schema.ts';
import { type QueryDialect, maxEscape, overheadOf, type Statement, type TableSql } from '../sql/table-sql.ts';
import { type Listing, maxPageBytes, type Page } from '../records/store.ts';
import { streamLists, type ProjectionSql } from '../sql/projection.ts';
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

/** The parameter that says what a view shows. */
export const shownParameter = (sql: TableSql, n: number): string => `cast(${sql.param(n)} as text)`;

/** An expression: the bytes of a column in JSON. The engine knows the length of a string without reading it. */
export const bytesOfColumn = (column: Column): string =>
  column.type === 'text'
    ? `coalesce(octet_length(${quote(column.name)}), 0) + ${overheadOf(column)}`
    : String(overheadOf(column));

/** An expression: the bytes of a column in JSON, with what is escaped in it. */
const escapedBytesOfColumn =
  (dialect: QueryDialect) =>
  (column: Column): string =>
    column.type === 'text'
      ? `octet_length(${dialect.valueJson(column)}) + ${overheadOf(column)}`
      : bytesOfColumn(column);

/**
 * Reads the JSON of records, separated by commas, without those deleted by now. Long JSON is several chunks.
 *
 * @param readItems a page of the line items that the view shows
 */
export async function* readChunks(
  query: Query,
  sql: TableSql,
  ids: readonly string[],
  view: ProjectionSql | undefined,
  readItems: (sql: TableSql, page: Page) => MaybePromise<Listing | undefined>,
): AsyncGenerator<Uint8Array | number> {
  const rows = await query(selectLengths(sql, ids, view), { isSlow: true });
  const lengths = new Map(rows.map(([id, bytes]) => [id, Number(bytes)] as const));
  let isFirst = true;
  for (const chunk of chunksOf(ids, lengths)) {
    const [id = ''] = chunk.ids;
    const isApart = chunk.bytes > maxPageBytes && view?.hasLists === true;
    if (chunk.bytes * maxEscape > maxPageBytes) {
      const [[, bytes] = []] = await query(selectLengths(sql, chunk.ids, view, true), { isSlow: true });
      if (Number(bytes ?? 0) > maxPageBytes) yield Number(bytes);
    }
    const slices = await query(selectSlices(sql, chunk.ids, isApart, view), { isSlow: true, isBytes: true });
    if (slices.length === 0) continue;
    if (!isFirst) yield Buffer.from(',');
    isFirst = false;
    if (isApart) yield* streamLists(view, id, bytesOfSlices(slices), readItems);
    else yield* bytesOfSlices(slices);
  }
}

/** The bytes of `selectSlices`. The consumer may free a slice before the next one. */
function* bytesOfSlices(slices: Row[]): Generator<Uint8Array> {
  slices.sort(([a], [b]) => Number(a) - Number(b));
  for (let slice = slices.shift(); slice; slice = slices.shift()) yield slice[1] as unknown as Buffer;
}

/**
 * The JSON of records, in slices of bytes, as the engine finds a character only from the beginning. A slice may end within a
 * character of UTF-8: each byte is sent as the Latin-1 character of its number.
 *
 * @param isApart without lists of line items and the last bracket
 */
function selectSlices(sql: TableSql, ids: readonly string[], isApart: boolean, view?: ProjectionSql): Statement {
  const build = (): string => {
    const end = isApart ? '' : " || '}'";
    const record = view ? view.json(quote(sql.table.name), shownParameter(sql, 2)) + end : sql.json;
    const json = `string_agg(${record}, ',' order by array_position(_ids, "id"))`;
    return (
      `select _at, convert_from(substring(_items from _at for ${chunkBytes}), 'LATIN1') ` +
      `from (select convert_to(${json}, 'UTF8') ` +
      `from (select array(select json_array_elements_text(${sql.param(1)}::json))) _given (_ids), ` +
      `${sql.organizationRows(['"id" = any(_ids)'])} offset 0) _joined (_items), generate_series(1, length(_items), ${chunkBytes}) _at`
    );
  };
  const given = JSON.stringify(ids);
  if (!view) return sql.statement('chunks', [given], build);
  return view.statement(`chunks ${isApart}`, [given, isApart ? view.shownColumns : view.shown], build);
}

/**
 * The bytes of records, by their ids.
 *
 * @param isExact counts what is escaped, too: that takes as long as reading them
 */
function selectLengths(sql: TableSql, ids: readonly string[], view?: ProjectionSql, isExact = false): Statement {
  const bytesOf = isExact ? escapedBytesOfColumn(sql.dialect) : bytesOfColumn;
  const build = (): string => {
    const bytes = view
      ? view.bytes(quote(sql.table.name), shownParameter(sql, 2), bytesOf)
      : sql.table.columns.map(bytesOf).join(' + ');
    const given = `"id" = any(array(select json_array_elements_text(${sql.param(1)}::json)))`;
    return `select "id", ${bytes} from ${sql.organizationRows([given])}`;
  };
  const given = JSON.stringify(ids);
  const key = `lengths ${isExact}`;
  return view ? view.statement(key, [given, view.shown], build) : sql.statement(key, [given], build);
}

/** Records whose JSON is fetched together. */
interface Chunk {
  readonly ids: string[];
  bytes: number;
}

/** Groups records whose JSON is fetched together. */
function chunksOf(ids: readonly string[], lengths: ReadonlyMap<unknown, number>): Chunk[] {
  const chunks: Chunk[] = [];
  for (const id of ids) {
    const bytes = lengths.get(id) ?? 0;
    const last = chunks.at(-1);
    if (last && last.bytes + bytes <= chunkBytes) {
      last.ids.push(id);
      last.bytes += bytes;
    } else chunks.push({ ids: [id], bytes });
  }
  return chunks;
}
