import type { MaybePromise } from '../../maybe-promise.ts';
import type { Dml, Rows, TableSql } from '../dml.ts';
import { type Listing, maxPageCharacters, type Page } from '../store.ts';
import type { DatabaseWorker } from './database-worker.ts';
import { deepOffset, fromNearerEnd, PageReader } from './page-reader.ts';
import type { PreparedStatements } from './prepared-statements.ts';
import type { ReadTransaction } from './read-transaction.ts';

/** Bytes of JSON above which a record is a chunk of its own on a page. */
const longRecord = 16_384;

/** Share of a page's records up to which those missing in the cache are read one by one. */
const maxMisses = 0.25;

/** A record's JSON: a string or, for a long record, bytes, because a long string would stay in memory for longer. */
type Chunk = string | Uint8Array;

/** Reads records as JSON, on the main thread. */
export class Reader {
  readonly #dml: Dml;
  readonly #statements: PreparedStatements;
  readonly #transaction: ReadTransaction;
  readonly #pages: PageReader;
  readonly #worker: DatabaseWorker;

  constructor(dml: Dml, statements: PreparedStatements, transaction: ReadTransaction, worker: DatabaseWorker) {
    this.#dml = dml;
    this.#statements = statements;
    this.#transaction = transaction;
    this.#pages = new PageReader(dml, statements);
    this.#worker = worker;
  }

  get(table: string, id: string): string | undefined {
    this.#transaction.enter();
    const { cache } = this.#transaction;
    const cached = cache.get(table, id);
    if (cached !== undefined) return cached;
    const json = this.#statements.get(this.#dml.of(table).get(id))?.[0] as string | undefined;
    if (json !== undefined) cache.offer(table, id, json);
    return json;
  }

  only(table: string): string {
    this.#transaction.enter();
    return this.#statements.get(this.#dml.of(table).only())?.[0] as string;
  }

  list(table: string, page: Page): MaybePromise<Listing | undefined> {
    this.#transaction.enter();
    const { limit, offset, after } = page;
    if (after !== undefined) {
      if (!this.#pages.hasCursor(table, page)) return undefined;
      // One more than the limit, for `hasMore`.
      const ids = this.#pages.ids(table, page, limit + 1, 0);
      const total = this.#pages.total(table, page);
      return { total, hasMore: ids.length > limit, items: this.#items(table, page, ids.slice(0, limit)) };
    }
    const total = this.#pages.total(table, page);
    if (fromNearerEnd(total, limit, offset).skip > deepOffset) return this.#listDeep(table, page);
    return this.#listing(table, page, total, this.#pages.page(table, page, total));
  }

  /** The worker thread reads the ids of a page far from both ends. */
  async #listDeep(table: string, page: Page): Promise<Listing> {
    const { total, ids } = await this.#worker.findPage(table, page);
    return this.#transaction.readAlone(() => this.#listing(table, page, total, ids));
  }

  /** @param ids the result of `PageReader.page` */
  #listing(table: string, page: Page, total: number, ids: readonly string[]): Listing {
    const { offset } = page;
    const before = offset > 0 ? ids[0] : undefined;
    const own = offset > 0 ? ids.slice(1) : ids;
    const rows = before === undefined ? page : { ...page, after: before };
    return { total, hasMore: offset + own.length < total, items: this.#items(table, rows, own) };
  }

  /** @param ids those of the first rows of `rows` */
  #items(table: string, rows: Rows, ids: readonly string[]): Listing['items'] {
    const { cache } = this.#transaction;
    const sql = this.#dml.of(table);
    const cached = ids.map((id) => cache.get(table, id));
    const misses = cached.filter((json) => json === undefined).length;
    // One statement takes half the time of single records.
    const chunks = misses > ids.length * maxMisses ? this.#chunksOf(sql, rows, ids) : undefined;
    let items = '';
    try {
      for (const [i, id] of ids.entries()) {
        const chunk = chunks ? (chunks.next().value?.[0] as Chunk | undefined) : (cached[i] ?? this.#chunk(sql, id));
        if (typeof chunk === 'object' || items.length > maxPageCharacters) {
          return this.#stream(sql, items, chunk, ids.slice(i + 1));
        }
        if (chunk === undefined) continue;
        if (cached[i] === undefined) cache.offer(table, id, chunk);
        items += items === '' ? chunk : `,${chunk}`;
      }
    } finally {
      chunks?.return?.();
    }
    return items;
  }

  #chunksOf(sql: TableSql, rows: Rows, ids: readonly string[]): Iterator<readonly unknown[]> {
    const { clause, values } = sql.rows(rows);
    const statement = sql.statement(`chunks ${clause}`, [...values, ids.length], () =>
      selectChunks(`select ${sql.json} as j from ${sql.name}${clause} limit +?${values.length + 1}`),
    );
    return this.#statements.iterate(statement)[Symbol.iterator]();
  }

  #chunk(sql: TableSql, id: string): Chunk | undefined {
    const statement = sql.statement('chunk', [id], () =>
      selectChunks(`select ${sql.json} as j from ${sql.name} where "id" = ?1 limit 1`),
    );
    return this.#statements.get(statement)?.[0] as Chunk | undefined;
  }

  /** The items read so far, the next chunk, and then each record when it is requested, unless it is deleted by then. */
  *#stream(sql: TableSql, items: string, next: Chunk | undefined, rest: readonly string[]): Generator<Uint8Array> {
    let separator = '';
    if (items !== '') {
      yield Buffer.from(items);
      items = '';
      separator = ',';
    }
    const ids = rest.values();
    for (let chunk = next; ;) {
      if (chunk !== undefined) {
        if (separator !== '') yield Buffer.from(separator);
        yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        separator = ',';
      }
      const { done, value } = ids.next();
      if (done) return;
      chunk = this.#transaction.readAlone(() => this.#chunk(sql, value));
    }
  }
}

/**
 * A query for chunks.
 *
 * @param records a query for JSON `j`. It must have a limit: otherwise SQLite builds the JSON for each mention of `j`
 */
const selectChunks = (records: string): string =>
  `select iif(octet_length(j) > ${longRecord}, cast(j as blob), j) from (${records})`;
