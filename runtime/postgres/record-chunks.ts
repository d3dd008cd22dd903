import { mayBeLarge } from '../model/limits.ts';
import { maxPageBytes } from '../records/limits.ts';
import type { ItemStream } from '../records/page.ts';
import { type ProjectionSql, type ReadItems, streamExpanded } from '../sql/projection.ts';
import { quote } from '../sql/schema.ts';
import { type TableSql, textBytes } from '../sql/table-sql.ts';
import type { Statement, Values } from '../sql/types.ts';
import type { ReadStatement, Row } from './connection.ts';
import type { ReadKind } from './pool.ts';
import { chunkRecords, sliceBytes } from './limits.ts';

export type Query = (statement: ReadStatement, kind?: ReadKind) => Promise<Row[]>;

/** Records of a table, whole or as a projection shows them. */
export class ShownRecords {
  readonly sql: TableSql;
  readonly projection: ProjectionSql | undefined;
  readonly #isAnyLong: boolean;

  /** @param isAnyLong one of them is known to be long */
  constructor(sql: TableSql, projection?: ProjectionSql, isAnyLong = false) {
    this.sql = sql;
    this.projection = projection;
    this.#isAnyLong = isAnyLong;
  }

  /** Whether one of them, or an item of their lists, may have more bytes than a page that is read at once. */
  get areLarge(): boolean {
    const isWhole = this.projection?.hasFields !== true;
    const lists = this.projection?.expanded ?? [];
    return (
      (isWhole && (this.#isAnyLong || mayBeLarge(this.sql.table))) || lists.some(({ sql }) => mayBeLarge(sql.table))
    );
  }

  /** An expression: the JSON of a row; null if one of its lists is too long. @param n the parameter for what is shown */
  json(row: string, n: number, whole = this.sql.dialect.recordJson(this.sql.table)): string {
    return this.projection ? `${this.projection.json(row, this.#shown(n))} || '}'` : whole;
  }

  /** An expression: the same of a row of a page; of large records, null unless their texts are short together. */
  jsonInPage(row: string, n: number): string {
    const json = this.json(row, n, `row_to_json(${row})::text`);
    if (!this.areLarge) return json;
    if (this.projection?.isExpanded) return 'null::text';
    return `case when sum(${textBytes(this.sql.table.columns)}) over () <= ${maxPageBytes} then ${json} end`;
  }

  /** An expression: the same without its lists; then also without its last bracket. */
  withoutLists(row: string, n: number): string {
    return this.projection?.isExpanded ? this.projection.json(row, this.#shown(n)) : this.json(row, n);
  }

  #shown(n: number): string {
    return `cast(${this.sql.param(n)} as text)`;
  }

  /** A statement whose last parameter is for what is shown. */
  statement(key: string, values: Values, build: () => string, shown = this.projection?.shown): Statement {
    return this.projection
      ? this.projection.statement(key, [...values, shown as string], build)
      : this.sql.statement(key, values, build);
  }
}

/** A condition: the JSON of all rows together has no more bytes than a page that is read at once. @param over of which rows */
export const isShort = (over = ''): string =>
  `sum(coalesce(octet_length(_json), ${maxPageBytes + 1}))${over} <= ${maxPageBytes}`;

/**
 * Reads the JSON of records, without those deleted by now, in parts between which commas belong: some records at once if they are
 * short together, otherwise one by one, and then their lists by pages.
 */
export async function* readParts(
  query: Query,
  records: ShownRecords,
  ids: readonly string[],
  readItems: ReadItems,
): AsyncGenerator<Iterable<Uint8Array> | ItemStream> {
  const { projection } = records;
  const read = (some: readonly string[]): Promise<Row[]> =>
    query({ ...selectSlices(records, some), isBytes: true }, 'slow');
  // So few are too long together, or they would have been read with their page.
  const size = records.areLarge || ids.length <= chunkRecords ? 1 : chunkRecords;
  for (let at = 0; at < ids.length; at += size) {
    const some = ids.slice(at, at + size);
    const together = some.length > 1 ? await read(some) : [];
    if (together.length > 0) {
      yield bytesOfSlices(together);
      continue;
    }
    for (const id of some) {
      const alone = await read([id]);
      if (alone.length === 0) continue;
      const bytes = bytesOfSlices(alone);
      yield projection?.isExpanded ? streamExpanded(projection, id, bytes, readItems) : bytes;
    }
  }
}

/** The bytes of `slicesOf`. The consumer may free a slice before the next one. */
function* bytesOfSlices(slices: Row[]): Generator<Uint8Array> {
  slices.sort(([a], [b]) => Number(a) - Number(b));
  for (let slice = slices.shift(); slice; slice = slices.shift()) yield slice[1] as unknown as Buffer;
}

/**
 * Selects the JSON of records in slices. If there are several, it is that of all, and no row if they are not short together. If
 * there is one, it is without its lists, and without its last bracket if it has any.
 */
function selectSlices(records: ShownRecords, ids: readonly string[]): Statement {
  const { sql, projection } = records;
  const isAlone = ids.length === 1;
  const build = (): string => {
    const given = `(select array(select json_array_elements_text(${sql.param(1)}::json))) _given (_ids)`;
    const rows = `${given}, ${sql.organizationRows(['"id" = any(_ids)'])} offset 0`;
    const row = quote(sql.table.name);
    const json = isAlone ? records.withoutLists(row, 2) : records.json(row, 2);
    const joined = `string_agg(_json, ',' order by _place)`;
    return slicesOf(
      `select ${isAlone ? joined : `case when ${isShort()} then ${joined} end`} ` +
        `from (select array_position(_ids, "id") as _place, ${json} as _json from ${rows}) _shown`,
    );
  };
  const shown = isAlone ? projection?.shownColumns : projection?.shown;
  return records.statement(`slices ${isAlone} ${projection?.isExpanded}`, [JSON.stringify(ids)], build, shown);
}

/**
 * Selects slices of the bytes of one value, as the engine finds a character only from the beginning. A slice may end within a
 * character of UTF-8: each byte is sent as the Latin-1 character of its number.
 */
const slicesOf = (json: string): string =>
  `select _at, convert_from(substring(_bytes from _at for ${sliceBytes}), 'LATIN1') ` +
  `from (select convert_to(_json, 'UTF8') from (${json}) _found (_json) offset 0) _value (_bytes), ` +
  `generate_series(1, length(_bytes), ${sliceBytes}) _at`;
