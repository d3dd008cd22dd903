import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { Eventually } from '../../eventually.ts';
import { type Listing, longPage, type Page } from '../store.ts';
import { type DeepPages, fromNearerEnd, stride } from './deep-pages.ts';
import { keysOfAfter, select, totalOf } from './pages.ts';
import type { Statements } from './statements.ts';

/** Characters of finished pages that are kept in memory. */
const rememberedCharacters = 4 * 1024 * 1024;

/**
 * Reads records as their JSON texts.
 *
 * The reads of one turn of the event loop share a transaction: to begin one costs as much as to look up a record. They
 * see the database as it is at the first of them. Pages are remembered for as long as nobody, in whichever process, has
 * written anything.
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
  #inTransaction = false;
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
    return statements.get(id);
  }

  only(statements: Statements): string {
    this.#enter();
    return statements.one('only', (name, json) => `select ${json} from ${name} order by "id" limit 1`) as string;
  }

  list(statements: Statements, page: Page): Eventually<Listing | undefined> {
    this.#enter();
    const { limit, offset, after, where = {} } = page;
    this.#forgetIfWritten();
    const key = `${statements.table.name} ${limit} ${offset} ${JSON.stringify([after, page.where])}`;
    const known = this.#pages.get(key);
    if (known) return known;

    const total = totalOf(statements, where);
    let ids: string[];
    let hasMore: boolean;
    if (after === undefined) {
      const { isReversed, skip, count } = fromNearerEnd(total, limit, offset);
      if (skip > stride) return this.#listDeep(statements, page);
      ids = select(statements, 'id', { where, isReversed }, isReversed ? count : limit, skip).map(
        ([id]) => id as string,
      );
      if (isReversed) ids.reverse();
      hasMore = offset + ids.length < total;
    } else {
      const behind = keysOfAfter(statements, after, page);
      if (!behind) return undefined;
      // One more than the page holds tells whether there is more.
      ids = select(statements, 'id', { where, behind }, limit + 1, 0).map(([id]) => id as string);
      hasMore = ids.length > limit;
      if (hasMore) ids.length = limit;
    }
    const listing = { total, hasMore, items: this.#items(statements, ids) };
    if (typeof listing.items === 'string') this.#pages.set(key, listing);
    return listing;
  }

  /** Takes note of a commit: what is read from now on is read anew. */
  forget(): void {
    this.leave();
    this.#pages.clear();
    // Those whose writes are answered read at once, between two turns: after them all, so that it ends there, too.
    queueMicrotask(() => process.nextTick(() => this.leave()));
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
    if (this.#inTransaction) return;
    this.#begin.run();
    this.#inTransaction = true;
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

  /** Forgets all pages where another connection has written: https://sqlite.org/pragma.html#pragma_data_version */
  #forgetIfWritten(): void {
    const [version] = this.#version.get() as unknown as [unknown];
    if (version === this.#seen) return;
    this.#pages.clear();
    this.#seen = version;
  }

  async #listDeep(statements: Statements, page: Page): Promise<Listing> {
    const { total, ids } = await this.#deepPages.find(statements.table.name, page);
    const items = this.#betweenTurns(() => this.#items(statements, ids));
    return { total, hasMore: page.offset + ids.length < total, items };
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
