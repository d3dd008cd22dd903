import { quote } from '../sql/schema.ts';
import type { TableSql } from '../sql/table-sql.ts';
import { type Items, type Listing, maxPageBytes, type Page } from '../records/store.ts';
import { streamLists, type ViewSql } from '../sql/projection.ts';
import { bufferOf, enoughFor, type PreparedStatements } from './prepared-statements.ts';

/** Records that are read at a time: at first, and at most. */
const firstSlice = 20;
const maxSlice = 100;

/** What reading views needs of the reader. */
interface Main {
  readonly statements: PreparedStatements;
  /** Reads in a later turn of the event loop, in a transaction of its own. */
  readonly later: <T>(read: () => T) => Promise<T>;
  /** Reads a page that is not deep. */
  readonly page: (sql: TableSql, page: Page) => Listing | undefined;
}

/** Reads what may be longer than a page. The bytes that are read next are yielded before, as in a stream of items. */
export async function* readLong<T>(read: (maxBytes: number) => Promise<T | number>): AsyncGenerator<number, T> {
  let found = await read(maxPageBytes);
  while (typeof found === 'number') {
    yield found;
    found = await read(found);
  }
  return found;
}

/** Reads records as a view shows them, on the main thread. They are not cached. */
export class ViewReader {
  readonly #main: Main;

  constructor(main: Main) {
    this.#main = main;
  }

  /** The JSON of the records that are there. */
  read(view: ViewSql, ids: readonly string[]): Items {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for (let start = 0; start < ids.length; start += firstSlice) {
      const slice = bytes > maxPageBytes ? undefined : this.#slice(view, ids.slice(start, start + firstSlice));
      if (slice === undefined) return this.#stream(view, chunks, ids.slice(start));
      if (slice.length === 0) continue;
      if (chunks.length > 0) chunks.push(Buffer.from(','));
      chunks.push(slice);
      bytes += slice.length;
    }
    return chunks;
  }

  /** The JSON of records, separated by commas; undefined if it is too long to be read at once. */
  #slice(view: ViewSql, ids: readonly string[]): Buffer | undefined {
    const { sql } = view;
    const row = quote(sql.table.name);
    // A cross join has the order of its left side: https://sqlite.org/lang_select.html#side_note_special_handling_of_cross_join_
    const build = (): string =>
      `select cast(string_agg("_json" || '}', ',') as blob) from (select ${view.json(row, sql.at(2))} as "_json" ` +
      `from (select value as "_key" from json_each(${sql.at(1)})) cross join ${sql.from(['"id" = "_key"'])})`;
    const statement = view.statement('slice', [JSON.stringify(ids), view.shown], build);
    const found = this.#main.statements.getWithin(statement, maxPageBytes);
    return found === 'too long' ? undefined : (bufferOf(found?.[0]) ?? Buffer.alloc(0));
  }

  /** A record without its lists and its last bracket; or the bytes that may be enough, if these are not. */
  #record(view: ViewSql, id: string, maxBytes: number): Buffer | number | undefined {
    const { sql } = view;
    const build = (): string =>
      `select cast(${view.json(quote(sql.table.name), sql.at(2))} as blob) from ${sql.from([`"id" = ${sql.at(1)}`])}`;
    const { statements } = this.#main;
    const row = statements.getWithin(view.statement('record', [id, view.shownColumns], build), maxBytes);
    return row === 'too long' ? enoughFor(statements, sql, id, maxBytes) : bufferOf(row?.[0]);
  }

  /** What has been read, then as many records at a time as are not too long together. */
  async *#stream(
    view: ViewSql,
    start: readonly Buffer[],
    rest: readonly string[],
  ): AsyncGenerator<Uint8Array | number> {
    const { later, page } = this.#main;
    let isFirst = start.length === 0;
    if (!isFirst) yield Buffer.concat(start);
    let size = firstSlice;
    for (let at = 0; at < rest.length;) {
      const ids = rest.slice(at, at + size);
      const slice = await later(() => this.#slice(view, ids));
      if (slice === undefined && ids.length > 1) {
        size = Math.ceil(ids.length / 4);
        continue;
      }
      at += ids.length;
      const [id = ''] = ids;
      const found = slice ?? (yield* readLong((maxBytes) => later(() => this.#record(view, id, maxBytes))));
      if (!found || found.length === 0) continue;
      if (!isFirst) yield Buffer.from(',');
      isFirst = false;
      if (slice === undefined) yield* streamLists(view, id, [found], (sql, request) => later(() => page(sql, request)));
      else yield found;
      if (found.length < maxPageBytes / 4) size = Math.min(2 * size, maxSlice);
    }
  }
}
