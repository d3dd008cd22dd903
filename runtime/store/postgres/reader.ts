import type { Table } from '../../schema/table.ts';
import { quote } from '../ddl.ts';
import type { Dml, Statement, TableSql } from '../dml.ts';
import { type Listing, maxPageBytes, type Page } from '../store.ts';
import type { Row } from './connection.ts';

/** How a query is sent. */
export interface QueryOptions {
  /** It may take long, and goes over a connection that quick ones do not wait for. */
  readonly isSlow?: boolean;
  /** Its values come as bytes, each the number of a character: long strings would linger in memory. */
  readonly isBytes?: boolean;
  /** Arrays, which follow the values of the statement. */
  readonly ids?: readonly string[];
}

export type Query = (statement: Statement, options?: QueryOptions) => Promise<Row[]>;

/** Bytes that are fetched at a time, or one record. */
const maxPartBytes = maxPageBytes / 4;

/** Bytes of a long record that are fetched as one value. */
const sliceBytes = maxPageBytes / 4;

/** Pages that may hold more records than this are slow. */
const shortPage = 100;

/** Offsets above this are slow, and counted from the nearer end. */
const deepOffset = 1_000;

/** Reads records as JSON. */
export class Reader {
  readonly #dml: Dml;
  readonly #query: Query;

  constructor(dml: Dml, query: Query) {
    this.#dml = dml;
    this.#query = query;
  }

  async get(table: string, id: string): Promise<string | undefined> {
    const [row] = await this.#query(this.#dml.of(table).get(id));
    return row?.[0] ?? undefined;
  }

  async only(table: string): Promise<string> {
    const [row] = await this.#query(this.#dml.of(table).only());
    return row?.[0] as string;
  }

  async list(table: string, page: Page): Promise<Listing | undefined> {
    const sql = this.#dml.of(table);
    const isDeep = page.offset > deepOffset;
    const fromEnd = isDeep && page.offset > (await this.#total(sql, page)) / 2;
    const select = async (selection: Selection): Promise<Row> => {
      const isSlow = isDeep || page.limit > shortPage;
      const [row] = await this.#query(selectPage(sql, page, fromEnd, selection), { isSlow });
      return row as Row;
    };
    const whole = await select(wholeRecords);
    const answer = readPage(page, whole);
    const [, count, , items] = whole;
    if (!answer || count === '0' || typeof items === 'string') return answer && { ...answer, items: items ?? '' };

    const long = await select(lengths);
    const longAnswer = readPage(page, long);
    const parts = inParts(sql.table, JSON.parse(long[3] ?? '[]') as Length[]);
    return longAnswer && { ...longAnswer, items: this.#chunks(sql, parts) };
  }

  async #total(sql: TableSql, page: Page): Promise<number> {
    const [row] = await this.#query(sql.rows(page).total);
    return Number(row?.[0]);
  }

  /** The JSON of some records, separated by commas; one deleted by now is left out. */
  async #part(sql: TableSql, ids: readonly string[]): Promise<string> {
    if (ids.length === 0) return '';
    const part = sql.statement(
      'part',
      [],
      () =>
        `select string_agg(${sql.json}, ',' order by array_position($1::text[], "id")) ` +
        `from ${sql.name} where "id" = any($1::text[])`,
    );
    const [row] = await this.#query(part, { isSlow: true, ids });
    return row?.[0] ?? '';
  }

  /** The JSON of a long record, in slices: the driver would hold a long value several times over. */
  async #slices(sql: TableSql, id: string): Promise<Buffer[]> {
    const slices = sql.statement(
      'slices',
      [id],
      () =>
        // As bytes: to find a character, the engine goes through all before it.
        // And each byte as the character of its number, for a slice may end within one of UTF-8.
        `select at, convert_from(substring(item from at for ${sliceBytes}), 'LATIN1') ` +
        `from (select convert_to(j, 'UTF8') from (select ${sql.json} from ${sql.name} where "id" = $1) r (j) offset 0) ` +
        `r (item), generate_series(1, length(item), ${sliceBytes}) at`,
    );
    const options = { isSlow: true, isBytes: true };
    const rows = (await this.#query(slices, options)) as unknown as [Buffer, Buffer][];
    return rows.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, slice]) => slice);
  }

  async *#chunks(sql: TableSql, parts: readonly Part[]): AsyncGenerator<Uint8Array> {
    let separator = '';
    for (const { ids, isLong } of parts) {
      const chunks = isLong ? await this.#slices(sql, ids[0] as string) : [Buffer.from(await this.#part(sql, ids))];
      if (!chunks[0]?.length) continue;
      if (separator !== '') yield Buffer.from(separator);
      for (let chunk = chunks.shift(); chunk; chunk = chunks.shift()) yield chunk;
      separator = ',';
    }
  }
}

type Length = readonly [id: string, bytes: number];

/** Records that are fetched together. */
interface Part {
  readonly ids: string[];
  /** One record that is too long to be fetched whole. */
  readonly isLong: boolean;
}

/** What the JSON of a record needs beside its texts: the names, and about so much for a number and the signs around it. */
const frameOf = ({ columns }: Table): number => columns.reduce((sum, { name }) => sum + name.length + 12, 0);

function inParts(table: Table, lengths: readonly Length[]): Part[] {
  const frame = frameOf(table);
  const parts: Part[] = [];
  let room = 0;
  for (const [id, bytes] of lengths) {
    const length = bytes + frame;
    if (parts.length === 0 || length > room) {
      parts.push({ ids: [id], isLong: length > maxPartBytes });
      room = maxPartBytes - length;
    } else {
      parts.at(-1)?.ids.push(id);
      room -= length;
    }
  }
  return parts;
}

/** The total of a page, the number of its records and whether there are more; undefined where `after` is not there. */
function readPage(
  { limit, offset, after }: Page,
  [total, count, anchor]: Row,
): { total: number; hasMore: boolean } | undefined {
  if (anchor === 'f') return undefined;
  // One more than the page holds was asked for where the offset does not tell whether there is more.
  const hasMore = after === undefined ? offset + Number(count) < Number(total) : Number(count) > limit;
  return { total: Number(total), hasMore };
}

/** What is computed of a page: of its rows, and the first of them that it shows; `bytes` is the length of a row's texts. */
interface Selection {
  readonly key: string;
  readonly sql: (table: Table, shown: string, bytes: string) => string;
}

/** The texts of the records, unless they are long together. The engine looks up the length of a text without reading it. */
const wholeRecords: Selection = {
  key: 'whole',
  sql: (table, shown, bytes) =>
    `case when sum(${bytes}) + count(*) * ${frameOf(table)} <= ${maxPageBytes} ` +
    `then (select string_agg(row_to_json(r)::text, ',') from ${shown} r) end`,
};

/** Ids with their lengths. */
const lengths: Selection = {
  key: 'lengths',
  sql: (_table, shown, bytes) => `(select json_agg(json_build_array("id", ${bytes})) from ${shown} r)`,
};

/**
 * A page in one statement, and so at one moment: the total, the number of its records, whether the cursor is there, and
 * what is selected of the records.
 *
 * @param fromEnd counts the offset from the other end, by the total
 */
function selectPage(sql: TableSql, page: Page, fromEnd: boolean, selection: Selection): Statement {
  const { table, name, columns } = sql;
  const { limit, offset, after } = page;
  const { clause, orderBy, values, cursorExists = 'true', total } = sql.rows({ ...page, isReversed: fromEnd });
  const skipped = offset > 0 ? `$${values.length + 1}::bigint` : '0';
  // Limits are literals: the planner must know them. There are as many statements as limits that clients use.
  const count = after === undefined ? limit : limit + 1;
  const start = `((select n from total) - ${skipped} - ${limit})`;
  const slice = fromEnd
    ? `limit least(${limit}, greatest(${start} + ${limit}, 0)) offset greatest(${start}, 0)`
    : `limit ${count} offset ${skipped}`;
  const key = `page ${selection.key} ${total.text} ${clause} ${slice}`;
  return sql.statement(key, offset > 0 ? [...values, offset] : values, () => {
    // Of the rows that an offset skips only the ids are read.
    const rows =
      offset > 0
        ? ` where "id" = any(array(select "id" from ${name}${clause} ${slice}))${fromEnd ? sql.rows({}).orderBy : orderBy}`
        : `${clause} ${slice}`;
    const bytes = table.columns
      .filter(({ type }) => type === 'text')
      .map((column) => `coalesce(octet_length(${quote(column.name)}), 0)`);
    // The page is read once, in order, and gone through twice; what it shows is built only where it is asked for.
    const shown = after === undefined ? 'page' : `(select * from page limit ${limit})`;
    return (
      `with total (n) as (${total.text}), page as (select ${columns} from ${name}${rows}) ` +
      `select (select n from total), count(*), ${cursorExists}, ${selection.sql(table, shown, bytes.join(' + '))} from page`
    );
  });
}
