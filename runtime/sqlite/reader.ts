import { andThen, type MaybePromise } from '../model/maybe-promise.ts';
import type { Dml, Statement, TableSql } from '../sql/table-sql.ts';
import { isFiltered } from '../sql/list.ts';
import { type Items, type Json, type Listing, maxPageBytes, type Page, type View } from '../records/store.ts';
import { ViewSql } from '../sql/projection.ts';
import type { PageFinder } from './page-finder.ts';
import { type KnownTotal, KnownTotals } from '../sql/known-totals.ts';
import { findPage, type FoundPage, totalOf } from './page-reader.ts';
import type { PageTurns } from './page-turns.ts';
import { bufferOf, enoughFor, type PreparedStatements } from './prepared-statements.ts';
import type { ReadTransaction } from './read-transaction.ts';
import { readLong, ViewReader } from './view-reader.ts';

/** What a page on the main thread may take: about 0.1 ms for the rows that it skips, 0.5 ms for those that it compares. */
const shortBudget = { maxOffset: 10_000, maxCompared: 500 };

/** Records of a page that are read at a time. */
const maxSlice = 100;

/** Share of a slice's records up to which those missing in the cache are read one by one. */
const maxMisses = 0.25;

const comma = Buffer.from(',');

/** Reads records as JSON, on the main thread. */
export class Reader {
  readonly #dml: Dml;
  readonly #statements: PreparedStatements;
  readonly #transaction: ReadTransaction;
  readonly #turns: PageTurns;
  readonly #finder: PageFinder;
  readonly #totals = new KnownTotals<number>();
  readonly #views: ViewReader;

  constructor(
    dml: Dml,
    statements: PreparedStatements,
    transaction: ReadTransaction,
    turns: PageTurns,
    finder: PageFinder,
  ) {
    this.#dml = dml;
    this.#statements = statements;
    this.#transaction = transaction;
    this.#turns = turns;
    this.#finder = finder;
    this.#views = new ViewReader({
      statements,
      later: (read) => this.#readMore(read),
      page: (sql, page) => this.#page(sql, page) as Listing | undefined,
    });
  }

  get(organization: number, table: string, id: string, maxBytes?: number): Json | number | undefined {
    const sql = this.#dml.of(table, organization);
    const { cache } = this.#transaction;
    const cached = cache.get(sql, id);
    if (cached !== undefined) return cached;
    // As a string: a short record as bytes takes a fifth more.
    if (maxBytes !== undefined && maxBytes > maxPageBytes) return this.#record(sql, id, maxBytes);
    const row = this.#statements.getWithin(sql.get(id), maxBytes);
    if (row === 'too long') return enoughFor(this.#statements, sql, id, maxBytes ?? maxPageBytes);
    const json = row?.[0] as string | undefined;
    if (json !== undefined) cache.offer(sql, id, json);
    return json;
  }

  only(organization: number, table: string): string {
    return this.#statements.get(this.#dml.of(table, organization).only())?.[0] as string;
  }

  newest(organization: number, table: string): string[] {
    return this.#statements
      .all(this.#dml.of(table, organization).newest())
      .flatMap(([id]) => (id as string | null) ?? []);
  }

  list(organization: number, table: string, page: Page): MaybePromise<Listing | undefined> {
    return this.#list(this.#dml.of(table, organization), page, true);
  }

  /** @param mayWait for another page whose total is the same; otherwise it has, and the request's transaction has ended */
  #list(sql: TableSql, page: Page, mayWait: boolean): MaybePromise<Listing | undefined> {
    const read = (): Listing | 'too expensive' | undefined => this.#page(sql, page);
    const listing = mayWait ? this.#turns.run(read, () => this.#transaction.readAlone(read)) : this.#readMore(read);
    return andThen(listing, (found) => {
      if (found !== 'too expensive') return found;
      if (!isFiltered(page)) return this.#listDeep(sql, page);
      const statement = totalOf(sql, page);
      const known = this.#known(statement);
      if (known) return this.#listDeep(sql, page, known);
      const others = mayWait ? this.#totals.underWay(statement) : undefined;
      if (others) return others.then(() => this.#list(sql, page, false));
      return this.#totals.counting(statement, () => this.#listDeep(sql, page));
    });
  }

  /** A record as the view shows it. */
  show(organization: number, table: string, id: string, view: View): Items | undefined {
    const items = this.#views.read(new ViewSql(this.#dml, this.#dml.of(table, organization), view), [id]);
    return Array.isArray(items) && items.length === 0 ? undefined : items;
  }

  #page(sql: TableSql, page: Page): Listing | 'too expensive' | undefined {
    const knownTotal = (statement: Statement): number | undefined => this.#known(statement)?.total;
    const found = findPage(this.#statements, sql, page, { ...shortBudget, knownTotal });
    return found === 'too expensive' ? found : found && this.#listing(sql, found, page.view, found.rowids);
  }

  /** A total that was counted, unless somebody has written since. */
  #known(statement: Statement): KnownTotal<number> | undefined {
    const known = this.#totals.get(statement);
    return known?.version === this.#transaction.version ? known : undefined;
  }

  async #listDeep(sql: TableSql, page: Page, known?: KnownTotal<number>): Promise<Listing | undefined> {
    const { version } = this.#transaction;
    let found = await this.#finder.find(sql.organization, sql.table.name, page, known?.total);
    // Somebody may have written before the page was found, which only a new transaction sees.
    if (known && known.version !== (await this.#readMore(() => this.#transaction.version))) {
      found = await this.#finder.find(sql.organization, sql.table.name, page);
    }
    return (
      found &&
      this.#readMore(() => {
        // While nobody writes, it is what any connection sees.
        if (isFiltered(page) && version === this.#transaction.version)
          this.#totals.set(totalOf(sql, page), { version, total: found.total });
        return this.#listing(sql, found, page.view);
      })
    );
  }

  /** Records that were deleted since the page was found are left out; `rowids` are given if none can have been. */
  #listing(sql: TableSql, { total, hasMore, ids }: FoundPage, view?: View, rowids?: readonly number[]): Listing {
    if (view) return { total, hasMore, items: this.#views.read(new ViewSql(this.#dml, sql, view), ids) };
    const chunks: Buffer[] = [];
    let bytes = 0;
    for (let start = 0; start < ids.length; start += maxSlice) {
      const end = start + maxSlice;
      const slice =
        bytes > maxPageBytes ? undefined : this.#slice(sql, ids.slice(start, end), rowids?.slice(start, end));
      if (slice === undefined) return { total, hasMore, items: this.#stream(sql, chunks, ids.slice(start)) };
      if (chunks.length > 0 && slice.length > 0) chunks.push(comma);
      chunks.push(...slice);
      for (const { length } of slice) bytes += length;
    }
    return { total, hasMore, items: chunks };
  }

  /** The JSON of records, separated by commas; undefined if it is too long to be read at once. */
  #slice(sql: TableSql, ids: readonly string[], rowids?: readonly number[]): Buffer[] | undefined {
    const { cache } = this.#transaction;
    const cached = ids.map((id) => cache.get(sql, id));
    const misses = cached.filter((json) => json === undefined).length;
    if (misses > ids.length * maxMisses && !cache.hasRecent(ids)) return this.#join(sql, ids, rowids);
    const chunks: Buffer[] = [];
    let bytes = 0;
    for (const [i, id] of ids.entries()) {
      const json = cached[i] ?? this.#record(sql, id, maxPageBytes);
      if (typeof json === 'number') return undefined;
      if (json === undefined) continue;
      if (cached[i] === undefined) cache.offer(sql, id, json);
      if (chunks.length > 0) chunks.push(comma);
      chunks.push(json);
      bytes += json.length;
      if (bytes > maxPageBytes) return undefined;
    }
    return chunks;
  }

  /** Like `#slice`, joined by SQLite: that takes half the time of single records, which alone can be cached. */
  #join(sql: TableSql, ids: readonly string[], rowids?: readonly number[]): Buffer[] | undefined {
    // By its number a row is found in one search, by its id in two.
    const key = rowids ? '_rowid_' : '"id"';
    // A cross join has the order of its left side: https://sqlite.org/lang_select.html#side_note_special_handling_of_cross_join_
    const build = (): string =>
      `select cast(group_concat("_json") as blob) from (select ${sql.json} as "_json" ` +
      `from (select value as "_key" from json_each(${sql.at(1)})) cross join ${sql.from([`${key} = "_key"`])})`;
    const row = this.#statements.getWithin(
      sql.statement(`join ${key}`, [JSON.stringify(rowids ?? ids)], build),
      maxPageBytes,
    );
    if (row === 'too long') return undefined;
    for (const id of ids) this.#transaction.cache.noteRead(id);
    const joined = bufferOf(row?.[0]);
    return joined ? [joined] : [];
  }

  /**
   * A record as bytes: a page of them takes less time than of strings, and no long string lingers in memory. A number is of bytes
   * that may be enough, if these are not.
   */
  #record(sql: TableSql, id: string, maxBytes: number): Buffer | number | undefined {
    const build = (): string => `select cast(${sql.json} as blob) from ${sql.from([`"id" = ${sql.at(1)}`])}`;
    const row = this.#statements.getWithin(sql.statement('record', [id], build), maxBytes);
    return row === 'too long' ? enoughFor(this.#statements, sql, id, maxBytes) : bufferOf(row?.[0]);
  }

  /** A streamed page: what has been read of it, then each slice when it is asked for. */
  async *#stream(
    sql: TableSql,
    start: readonly Buffer[],
    rest: readonly string[],
  ): AsyncGenerator<Uint8Array | number> {
    let isFirst = true;
    for await (const chunk of this.#chunks(sql, start, rest)) {
      if (typeof chunk === 'number') {
        yield chunk;
        continue;
      }
      if (chunk.length === 0) continue;
      if (!isFirst) yield Buffer.from(comma);
      yield chunk;
      isFirst = false;
    }
  }

  /** Copies, as the consumer frees a chunk, which may be cached. */
  async *#chunks(sql: TableSql, start: readonly Buffer[], rest: readonly string[]): AsyncGenerator<Buffer | number> {
    yield Buffer.concat(start);
    for (let at = 0; at < rest.length; at += maxSlice) {
      const ids = rest.slice(at, at + maxSlice);
      const slice = await this.#readMore(() => this.#slice(sql, ids));
      if (slice) {
        yield Buffer.concat(slice);
        continue;
      }
      for (const id of ids) {
        const json = yield* readLong((maxBytes) => this.#readMore(() => this.#record(sql, id, maxBytes)));
        if (json) yield json;
      }
    }
  }

  #readMore<T>(read: () => T): Promise<T> {
    return this.#turns.continue(() => this.#transaction.readAlone(read));
  }
}
