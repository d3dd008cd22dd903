import type { Value } from '../../schema/fields.ts';
import type { Table } from '../../schema/table.ts';
import { creationOrder, isCounted, placeInOrder, quote, rowCounters } from '../ddl.ts';
import { type Listing, longPage, type Page } from '../store.ts';
import type { Row, Statement, Values } from './connection.ts';
import type { Statements } from './statements.ts';

/** Asks the database: among what is quick, or where it may take long, apart from that. */
export type Ask = (statement: Statement, values: Values, isSlow?: boolean) => Promise<Row[]>;

/** Bytes that are fetched at a time, or one record. */
const partBytes = longPage / 4;

/** Bytes of a long record that are fetched as one value. */
const sliceBytes = longPage / 4;

/** Pages that may hold more records than this are read apart from what is quick. */
const shortPage = 100;

/** Offsets above this are reached from the nearer end, apart from what is quick. */
const deepOffset = 1_000;

/** Reads records as their JSON texts. */
export class Reader {
  readonly #ask: Ask;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  async get(statements: Statements, id: string): Promise<string | undefined> {
    const get = statements.of('get', () => statements.json('where "id" = $1'));
    const [row] = await this.#ask(get, [id]);
    return row?.[0] as string | undefined;
  }

  async only(statements: Statements): Promise<string> {
    const only = statements.of('only', () => statements.json('order by "id" limit 1'));
    const [row] = await this.#ask(only, []);
    return row?.[0] as string;
  }

  async list(statements: Statements, page: Page): Promise<Listing | undefined> {
    const isDeep = page.offset > deepOffset;
    const fromEnd = isDeep && page.offset > (await this.#total(statements, page)) / 2;
    const select = async (selection: Selection): Promise<Row> => {
      const { statement, values } = selectPage(statements, page, fromEnd, selection);
      const [row] = await this.#ask(statement, values, isDeep || page.limit > shortPage);
      return row as Row;
    };
    const whole = await select(wholeRecords);
    const answer = readPage(page, whole);
    const [, count, , items] = whole;
    if (!answer || count === '0' || typeof items === 'string') return answer && { ...answer, items: items ?? '' };

    const long = await select(lengths);
    const longAnswer = readPage(page, long);
    const parts = inParts(statements.table, JSON.parse(long[3] ?? '[]') as Length[]);
    return longAnswer && { ...longAnswer, items: this.#pieces(statements, parts) };
  }

  async #total(statements: Statements, page: Page): Promise<number> {
    const { key, total, values } = selectAll(statements, page);
    const [row] = await this.#ask(
      statements.of(`total ${key}`, () => total),
      values,
    );
    return Number(row?.[0]);
  }

  /** The texts of some records, separated by commas; one deleted by now is left out. */
  async #part(statements: Statements, ids: readonly string[]): Promise<string> {
    if (ids.length === 0) return '';
    const part = statements.of(
      'part',
      () =>
        `select string_agg(${statements.rowJson}, ',' order by array_position($1::text[], "id")) ` +
        `from ${statements.name} where "id" = any($1::text[])`,
    );
    const [row] = await this.#ask(part, [ids], true);
    return row?.[0] ?? '';
  }

  /** The text of a long record, in slices: the driver would hold a long value several times over. */
  async #slices(statements: Statements, id: string): Promise<Buffer[]> {
    const slices = statements.of(
      'slices',
      () =>
        // As bytes: to find a character, the engine goes through all before it.
        // And each byte as the character of its number, for a slice may end within one of UTF-8.
        `select at, convert_from(substring(item from at for ${sliceBytes}), 'LATIN1') ` +
        `from (select convert_to(j, 'UTF8') from (${statements.json('where "id" = $1')}) r (j) offset 0) r (item), ` +
        `generate_series(1, length(item), ${sliceBytes}) at`,
    );
    const rows = (await this.#ask({ ...slices, isBytes: true }, [id], true)) as unknown as [Buffer, Buffer][];
    return rows.toSorted(([a], [b]) => Number(a) - Number(b)).map(([, slice]) => slice);
  }

  async *#pieces(statements: Statements, parts: readonly Part[]): AsyncGenerator<Uint8Array> {
    let separator = '';
    for (const { ids, isLong } of parts) {
      const texts = isLong
        ? await this.#slices(statements, ids[0] as string)
        : [Buffer.from(await this.#part(statements, ids))];
      if (!texts[0]?.length) continue;
      if (separator !== '') yield Buffer.from(separator);
      for (let text = texts.shift(); text; text = texts.shift()) yield text;
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
      parts.push({ ids: [id], isLong: length > partBytes });
      room = partBytes - length;
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

/** What a page is part of: conditions on its rows and how many rows meet them, with the values of both. */
function selectAll(
  statements: Statements,
  { where = {} }: Page,
): {
  readonly key: string;
  readonly conditions: readonly string[];
  readonly total: string;
  readonly values: readonly Value[];
} {
  const { table, name } = statements;
  const columns = Object.entries(where);
  const values = columns.flatMap(([, value]) => (value === null ? [] : [value]));
  let place = 0;
  const conditions = columns.map(([column, value]) => {
    if (value === null) return `${quote(column)} is null`;
    place++;
    return column === table.parent?.field ? statements.isOf(`$${place}`) : `${quote(column)} = $${place}`;
  });
  // Items are counted by the field that names their parent alone.
  const isKept = !table.parent || (columns.length === 1 && isCounted(where[table.parent.field] as Value));
  const total = isKept
    ? `coalesce(sum("count"), 0) from ${quote(rowCounters)} where ${statements.totalOf(table.parent ? '$1' : "''")}`
    : `count(*) from ${name} where ${conditions.join(' and ')}`;
  const key = `${columns.map(([column, value]) => `${column} ${value === null}`).join()} ${isKept}`;
  return { key, conditions, total: `select ${total}`, values };
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
    `case when sum(${bytes}) + count(*) * ${frameOf(table)} <= ${longPage} ` +
    `then (select string_agg(row_to_json(r)::text, ',') from ${shown} r) end`,
};

/** Ids with their lengths. */
const lengths: Selection = {
  key: 'lengths',
  sql: (_table, shown, bytes) => `(select json_agg(json_build_array("id", ${bytes})) from ${shown} r)`,
};

/**
 * A page in one statement, and so at one moment: the total, the number of its records, whether `after` is there, and
 * what is selected of the records.
 *
 * @param fromEnd counts the offset from the other end, by the total
 */
function selectPage(
  statements: Statements,
  page: Page,
  fromEnd: boolean,
  { key, sql }: Selection,
): { statement: Statement; values: Values } {
  const { table, name, columns } = statements;
  const { limit, offset, after } = page;
  const whole = selectAll(statements, page);
  const conditions = [...whole.conditions];
  const values = [...whole.values];
  const bind = (value: Value): string => `$${values.push(value)}`;

  const created = creationOrder(table);
  const isItem = table.kind === 'line-item';
  const order = isItem ? `"idx", ${created}` : `${created} desc`;
  const reverse = isItem ? `"idx" desc, ${created} desc` : created;

  let anchor = 'true';
  if (after !== undefined) {
    const place = bind(placeInOrder(table, after));
    if (isItem) {
      const found = `from ${name} where "id" = ${bind(after)} and ${conditions.join(' and ')}`;
      anchor = `exists (select 1 ${found})`;
      conditions.push(`("idx", ${created}) > ((select "idx" ${found}), ${place})`);
    } else {
      conditions.push(`${created} < ${place}`);
    }
  }
  const skipped = offset > 0 ? bind(offset) : '0';
  const start = `((select n from total) - ${skipped}::bigint - ${limit})`;
  const slice = fromEnd
    ? `order by ${reverse} limit least(${limit}, greatest(${start} + ${limit}, 0)) offset greatest(${start}, 0)`
    : `order by ${order} limit ${after === undefined ? limit : limit + 1} offset ${skipped}`;

  const statement = statements.ofMany(
    `page ${key} ${whole.key} ${limit} ${offset > 0} ${after !== undefined} ${fromEnd}`,
    () => {
      const filter = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
      const length = table.columns
        .filter(({ type }) => type === 'text')
        .map((column) => `coalesce(octet_length(${quote(column.name)}), 0)`);
      // Of the rows that an offset skips only the ids are read.
      const rows =
        offset > 0
          ? ` where "id" = any(array(select "id" from ${name}${filter} ${slice})) order by ${order}`
          : `${filter} ${slice}`;
      // The page is read once, in order, and gone through twice; what it shows is built only where it is asked for.
      const shown = after === undefined ? 'page' : `(select * from page limit ${limit})`;
      return (
        `with total (n) as (${whole.total}), page as (select ${columns} from ${name}${rows}) ` +
        `select (select n from total), count(*), ${anchor}, ${sql(table, shown, length.join(' + '))} from page`
      );
    },
  );
  return { statement, values };
}
