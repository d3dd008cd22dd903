import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import type { Value } from '../../schema/fields.ts';
import { creationOrder, placeInOrder, quote, totals } from '../sql.ts';
import { type Listing, longPage, type Page, type Write, type WriteResult } from '../store.ts';
import { bind, longText, type Statements } from './statements.ts';

/** Characters of finished texts that are kept in memory. */
const cachedCharacters = 32 * 1024 * 1024;

/** The finished text of a record, under its id. */
interface CachedText {
  /** An id that is asked for under another resource's path is not found there. */
  readonly table: string;
  readonly text: string;
}

/**
 * Reads records as their JSON texts, and remembers those texts for as long as they are true: building one takes SQLite
 * several times as long as everything else that a read does.
 */
export class Reader {
  readonly #cache = new LRUCache<string, CachedText>({
    maxSize: cachedCharacters,
    maxEntrySize: longText,
    sizeCalculation: ({ text }) => text.length,
  });
  readonly #version: StatementSync;
  #seen: unknown;

  constructor(database: DatabaseSync) {
    this.#version = database.prepare('pragma data_version');
    this.#version.setReturnArrays(true);
  }

  get(statements: Statements, id: string): string | undefined {
    this.#forgetIfForeign();
    return this.#text(statements, id);
  }

  list(statements: Statements, page: Page): Listing | undefined {
    this.#forgetIfForeign();
    const { limit } = page;
    const total = this.#total(statements, page);
    const ids = this.#ids(statements, page);
    if (!ids) return undefined;
    // One more than the page holds was asked for where the offset does not tell whether there is more.
    const hasMore = page.after === undefined ? page.offset + ids.length < total : ids.length > limit;
    if (ids.length > limit) ids.length = limit;

    let items = '';
    for (const [place, [id]] of ids.entries()) {
      const piece = this.#piece(statements, id);
      if (typeof piece === 'object' || items.length > longPage) {
        return { total, hasMore, items: this.#pieces(statements, items, piece, ids.slice(place + 1)) };
      }
      if (piece !== undefined) items += items === '' ? piece : `,${piece}`;
    }
    return { total, hasMore, items };
  }

  #total(statements: Statements, { where = {} }: Page): number {
    const { name, parent } = statements.table;
    const total = statements.one(
      'total',
      () => `select "count" from "${totals}" where "table" = ? and "parent" = ? and "slot" = 0`,
      name,
      parent ? (where[parent.field] as Value) : '',
    );
    return Number(total ?? 0);
  }

  /** The ids of a page; of a page behind another, the next one as well. */
  #ids(statements: Statements, { limit, offset, after, where = {} }: Page): [string][] | undefined {
    const { kind } = statements.table;
    const columns = Object.keys(where);
    const conditions = columns.map((column) => `${quote(column)} is ?`);
    const values = Object.values(where);
    const created = creationOrder(statements.table);
    if (after !== undefined) {
      if (kind === 'line-item') {
        const idx = statements.one(
          `idx ${columns.join()}`,
          (table) => `select "idx" from ${table} where "id" = ? and ${conditions.join(' and ')}`,
          after,
          ...values,
        );
        if (idx === undefined) return undefined;
        conditions.push(`("idx", ${created}) > (?, ?)`);
        values.push(idx as number, placeInOrder(statements.table, after));
      } else {
        conditions.push(`${created} < ?`);
        values.push(placeInOrder(statements.table, after));
      }
    }
    const filter = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
    const order = kind === 'line-item' ? `"idx", ${created}` : `${created} desc`;
    return statements
      .prepare(
        `ids ${columns.join()} ${after !== undefined}`,
        (table) => `select "id" from ${table}${filter} order by ${order} limit ? offset ?`,
      )
      .all(...values.map(bind), after === undefined ? limit : limit + 1, offset) as unknown as [string][];
  }

  /**
   * Takes note of a write that is on the disk: a record that has changed is known by its new text. One that is new is not
   * kept until it is read: most of many never are.
   */
  note(write: Write, result: WriteResult): void {
    if (write.op === 'insert') return;
    if (write.op === 'reorder') for (const { id } of write.items) this.#cache.delete(id);
    else if (result.outcome === 'written') this.#cache.set(write.id, { table: write.table, text: result.text });
    else this.#cache.delete(write.id);
  }

  #cached(table: string, id: string): string | undefined {
    const known = this.#cache.get(id);
    return known?.table === table ? known.text : undefined;
  }

  #text(statements: Statements, id: string): string | undefined {
    const table = statements.table.name;
    const known = this.#cached(table, id);
    if (known !== undefined) return known;
    const text = statements.get(id);
    if (text !== undefined) this.#cache.set(id, { table, text });
    return text;
  }

  #piece(statements: Statements, id: string): string | Uint8Array | undefined {
    const table = statements.table.name;
    const known = this.#cached(table, id);
    if (known !== undefined) return known;
    const piece = statements.piece(id);
    if (typeof piece === 'string') this.#cache.set(id, { table, text: piece });
    return piece;
  }

  /** Forgets all texts where another connection has written since: https://sqlite.org/pragma.html#pragma_data_version */
  #forgetIfForeign(): void {
    const [version] = this.#version.get() as unknown as [unknown];
    if (version === this.#seen) return;
    this.#cache.clear();
    this.#seen = version;
  }

  /** A long page: what has been read of it, then each record when it is asked for; one deleted by then is left out. */
  *#pieces(
    statements: Statements,
    items: string,
    next: string | Uint8Array | undefined,
    rest: readonly [string][],
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
      this.#forgetIfForeign();
      piece = this.#piece(statements, value[0]);
    }
  }
}
