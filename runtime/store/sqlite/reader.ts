import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { MaybePromise } from '../../maybe-promise.ts';
import { type Listing, longPage, type Page, type Write } from '../store.ts';
import { type DeepPages, fromNearerEnd, stride } from './deep-pages.ts';
import { idsOf, keysOfAfter, piecesOf, type Range, totalOf } from './pages.ts';
import type { Statements } from './statements.ts';
import { RecordCache } from '../record-cache.ts';

/** Characters of finished pages that are kept in memory. */
const rememberedCharacters = 2 * 1024 * 1024;

/** Milliseconds that reads share a transaction for at most. */
const longestTransaction = 1;

/**
 * Reads records as their JSON texts.
 *
 * The reads of one turn of the event loop share a transaction: to begin one costs as much as to look up a record. They
 * see the database as it is at the first of them. First pages and texts of records are remembered for as long as
 * nobody, in whichever process, has written anything but what this store knows of.
 */
export class Reader {
  readonly #database: DatabaseSync;
  readonly #deepPages: DeepPages;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #rollback: StatementSync;
  readonly #version: StatementSync;
  readonly #pages = new LRUCache<string, Listing>({
    maxSize: rememberedCharacters,
    sizeCalculation: ({ items }) => (items as string).length + 100,
  });
  readonly #texts = new RecordCache();
  #inTransaction = false;
  #begunAt = 0;
  /** Whether it is known in this transaction that what is remembered is true. */
  #isChecked = false;
  #seen: unknown;

  constructor(database: DatabaseSync, deepPages: DeepPages) {
    this.#database = database;
    this.#deepPages = deepPages;
    this.#begin = database.prepare('begin');
    this.#commit = database.prepare('commit');
    this.#rollback = database.prepare('rollback');
    this.#version = database.prepare('pragma data_version');
    this.#version.setReturnArrays(true);
  }

  get(statements: Statements, id: string): string | undefined {
    this.#enter();
    if (!this.#texts.noteRead(id)) return statements.get(id);
    this.#forgetIfWritten();
    const { name } = statements.table;
    const known = this.#texts.get(name, id);
    if (known !== undefined) return known;
    const text = statements.get(id);
    if (text !== undefined) this.#texts.set(name, id, text);
    return text;
  }

  only(statements: Statements): string {
    this.#enter();
    return statements.one('only', (name, json) => `select ${json} from ${name} order by "id" limit 1`) as string;
  }

  list(statements: Statements, page: Page): MaybePromise<Listing | undefined> {
    this.#enter();
    this.#forgetIfWritten();
    // The pages that a list begins with are those that are asked for again and again.
    if (page.offset > 0 || page.after !== undefined) return this.#read(statements, page);
    const key = `${statements.table.name} ${page.limit} ${JSON.stringify(page.where) ?? ''}`;
    const known = this.#pages.get(key);
    if (known) return known;
    const listing = this.#read(statements, page);
    if (listing && !(listing instanceof Promise) && typeof listing.items === 'string') this.#pages.set(key, listing);
    return listing;
  }

  #read(statements: Statements, page: Page): MaybePromise<Listing> | undefined {
    const { limit, offset, after, where = {} } = page;
    const total = totalOf(statements, where);
    if (after !== undefined) {
      const behind = keysOfAfter(statements, after, page);
      if (!behind) return undefined;
      // One more than the page holds tells whether there is more.
      const { items, count } = this.#page(statements, { where, behind }, limit, 0, 1);
      return { total, hasMore: count > limit, items };
    }
    const { isReversed, skip, count: onPage } = fromNearerEnd(total, limit, offset);
    if (skip > stride) return this.#listDeep(statements, page);
    if (isReversed) {
      const ids = idsOf(statements, { where, isReversed }, onPage, skip).toReversed();
      return { total, hasMore: offset + ids.length < total, items: this.#items(statements, ids) };
    }
    const { items, count } = this.#page(statements, { where }, limit, skip, 0);
    return { total, hasMore: offset + count < total, items };
  }

  /** Takes note of writes that are committed: what is read from now on is read anew. */
  forget(writes: readonly Write[]): void {
    this.leave();
    this.#pages.clear();
    for (const write of writes) this.#forgetText(write);
    // Those whose writes are answered read at once, between two turns: after them all, so that it ends there, too.
    queueMicrotask(() => process.nextTick(() => this.leave()));
  }

  #forgetText(write: Write): void {
    if (write.op === 'reorder') for (const { id } of write.items) this.#texts.delete(id);
    // With a record its line items may be gone.
    else if (write.op === 'delete') this.#texts.clear();
    else if (write.op !== 'insert') this.#texts.delete(write.id);
  }

  /** Ends the transaction of this turn. */
  leave(): void {
    if (!this.#inTransaction) return;
    this.#inTransaction = false;
    try {
      this.#commit.run();
    } catch {
      // Of a damaged file, say: whoever reads next is told.
      if (this.#database.isTransaction) this.#rollback.run();
    }
  }

  /** Enters the transaction of this turn. */
  #enter(): void {
    // With very many connections a turn takes long: what was answered elsewhere meanwhile must be seen.
    if (this.#inTransaction && performance.now() - this.#begunAt > longestTransaction) this.leave();
    if (this.#inTransaction) return;
    this.#begunAt = performance.now();
    this.#begin.run();
    this.#inTransaction = true;
    this.#isChecked = false;
    setImmediate(() => this.leave());
  }

  /**
   * Reads in a transaction that ends at once. After a `setImmediate` that of a turn would last to the end of the next one,
   * whose requests may have come after a write of another process was answered.
   */
  #betweenTurns<T>(read: () => T): T {
    this.#enter();
    try {
      return read();
    } finally {
      this.leave();
    }
  }

  /** Forgets everything where another connection has written: https://sqlite.org/pragma.html#pragma_data_version */
  #forgetIfWritten(): void {
    if (this.#isChecked) return;
    const [version] = this.#version.get() as unknown as [unknown];
    this.#isChecked = true;
    if (version === this.#seen) return;
    this.#pages.clear();
    this.#texts.clear();
    this.#seen = version;
  }

  async #listDeep(statements: Statements, page: Page): Promise<Listing> {
    const { total, ids } = await this.#deepPages.find(statements.table.name, page);
    const items = this.#betweenTurns(() => this.#items(statements, ids));
    return { total, hasMore: page.offset + ids.length < total, items };
  }

  /** So many rows of a range, behind the first `offset` ones; `count` is how many there are, with `more` behind them. */
  #page(
    statements: Statements,
    range: Range,
    limit: number,
    offset: number,
    more: number,
  ): { items: Listing['items']; count: number } {
    let items = '';
    let count = 0;
    for (const [piece] of piecesOf(statements, range, limit + more, offset)) {
      count += 1;
      if (count > limit) break;
      if (typeof piece === 'object' || items.length > longPage) {
        const rest = idsOf(statements, range, limit + more - count, offset + count);
        const pieces = this.#pieces(statements, items, piece, rest.slice(0, limit - count));
        return { items: pieces, count: count + rest.length };
      }
      items += items === '' ? piece : `,${piece}`;
    }
    return { items, count };
  }

  #items(statements: Statements, ids: readonly string[]): Listing['items'] {
    let items = '';
    for (const [place, id] of ids.entries()) {
      const piece = statements.piece(id);
      if (typeof piece === 'object' || items.length > longPage) {
        return this.#pieces(statements, items, piece, ids.slice(place + 1));
      }
      if (piece !== undefined) items += items === '' ? piece : `,${piece}`;
    }
    return items;
  }

  /** A long page: what has been read of it, then each record when it is asked for; one deleted by then is left out. */
  *#pieces(
    statements: Statements,
    items: string,
    next: string | Uint8Array | undefined,
    rest: readonly string[],
  ): Generator<Uint8Array> {
    let separator = '';
    if (items !== '') {
      yield Buffer.from(items);
      items = '';
      separator = ',';
    }
    const ids = rest.values();
    for (let piece = next; ;) {
      if (piece !== undefined) {
        if (separator !== '') yield Buffer.from(separator);
        yield typeof piece === 'string' ? Buffer.from(piece) : piece;
        separator = ',';
      }
      const { done, value } = ids.next();
      if (done) return;
      piece = this.#betweenTurns(() => statements.piece(value));
    }
  }
}
