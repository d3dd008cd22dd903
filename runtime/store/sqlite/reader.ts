import type { MaybePromise } from '../../maybe-promise.ts';
import type { Dml, Rows, TableSql } from '../dml.ts';
import { type Json, type Listing, maxPageBytes, type Page } from '../store.ts';
import type { DatabaseWorker } from './database-worker.ts';
import { deepOffset, fromNearerEnd, PageReader } from './page-reader.ts';
import type { PreparedStatements } from './prepared-statements.ts';
import type { ReadTransaction } from './read-transaction.ts';
import { maxRecordBytes } from './record-cache.ts';

/** Share of a page's records up to which those missing in the cache are read one by one. */
const maxMisses = 0.25;

const comma = Buffer.from(',');

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

  get(table: string, id: string): Json | undefined {
    this.#transaction.enter();
    const { cache } = this.#transaction;
    const cached = cache.get(table, id);
    if (cached !== undefined) return cached;
    // As a string: a single record as bytes takes a fifth more.
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
      return { total, hasMore: ids.length > limit, items: this.#items(table, ids.slice(0, limit), page) };
    }
    const total = this.#pages.total(table, page);
    if (fromNearerEnd(total, limit, offset).skip > deepOffset) return this.#listDeep(table, page);
    const ids = this.#pages.page(table, page, total);
    const own = offset > 0 ? ids.slice(1) : ids;
    const [before] = ids;
    const rows = offset > 0 && before !== undefined ? { ...page, after: before } : page;
    return { total, hasMore: offset + own.length < total, items: this.#items(table, own, rows) };
  }

  /** The worker thread reads the ids of a page far from both ends. */
  async #listDeep(table: string, page: Page): Promise<Listing> {
    const { total, ids } = await this.#worker.findPage(table, page);
    const own = ids.slice(1);
    const items = this.#transaction.readAlone(() => this.#items(table, own));
    return { total, hasMore: page.offset + own.length < total, items };
  }

  /** @param rows begin with these ids at this moment; without them, records that were deleted meanwhile are left out */
  #items(table: string, ids: readonly string[], rows?: Rows): Listing['items'] {
    const { cache } = this.#transaction;
    const sql = this.#dml.of(table);
    const cached = ids.map((id) => cache.get(table, id));
    const misses = cached.filter((json) => json === undefined).length;
    // One statement takes half the time of single records.
    const read = rows && misses > ids.length * maxMisses ? this.#readPage(sql, rows, ids.length) : undefined;
    const chunks: Buffer[] = [];
    let bytes = 0;
    try {
      for (const [i, id] of ids.entries()) {
        const json = read ? bufferOf(read.next().value?.[0]) : (cached[i] ?? this.#record(sql, id));
        if (json === undefined) continue;
        // A long record is sent by itself.
        if (json.length > maxRecordBytes || bytes > maxPageBytes) {
          // Whoever sends it frees it.
          const own = cached[i] ? Buffer.from(json) : json;
          return this.#stream(sql, chunks, own, ids.slice(i + 1));
        }
        if (cached[i] === undefined) cache.offer(table, id, json);
        if (chunks.length > 0) chunks.push(comma);
        chunks.push(json);
        bytes += json.length;
      }
    } finally {
      read?.return?.();
    }
    return chunks;
  }

  #readPage(sql: TableSql, rows: Rows, limit: number): Iterator<readonly unknown[]> {
    const { clause, values } = sql.rows(rows);
    const statement = sql.statement(
      `page ${clause}`,
      [...values, limit],
      () => `select cast(${sql.json} as blob) from ${sql.name}${clause} limit +?${values.length + 1}`,
    );
    return this.#statements.iterate(statement)[Symbol.iterator]();
  }

  /** A record as bytes: a page of them takes less time than of strings, and no long string lingers in memory. */
  #record(sql: TableSql, id: string): Buffer | undefined {
    const statement = sql.statement(
      'record',
      [id],
      () => `select cast(${sql.json} as blob) from ${sql.name} where "id" = ?1`,
    );
    return bufferOf(this.#statements.get(statement)?.[0]);
  }

  /** A streamed page: what has been read of it, then each record when it is asked for; one deleted by then is left out. */
  *#stream(sql: TableSql, start: readonly Buffer[], next: Buffer, rest: readonly string[]): Generator<Uint8Array> {
    if (start.length > 0) yield Buffer.concat([...start, comma]);
    yield next;
    for (const id of rest) {
      const json = this.#transaction.readAlone(() => this.#record(sql, id));
      if (json === undefined) continue;
      yield Buffer.from(comma);
      yield json;
    }
  }
}

/** The bytes that the engine returns, without a copy. */
function bufferOf(bytes: unknown): Buffer | undefined {
  if (!(bytes instanceof Uint8Array)) return undefined;
  return Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
}
