import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { LRUCache } from 'lru-cache';
import { quote, totals } from '../sql.ts';
import { type Listing, longPage, type Page, type Write } from '../store.ts';
import { bind, type Statements } from './statements.ts';

/** Characters of finished texts that are kept in memory, and of the longest of them. */
const cachedCharacters = 32 * 1024 * 1024;
const cachedLength = 65_536;

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
    maxEntrySize: cachedLength,
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

  list(statements: Statements, { limit, offset, where = {} }: Page): Listing {
    this.#forgetIfForeign();
    const { name, kind } = statements.table;
    const columns = Object.keys(where);
    const filters = Object.values(where);
    const filter =
      columns.length === 0 ? '' : ` where ${columns.map((column) => `${quote(column)} is ?`).join(' and ')}`;
    const order = kind === 'line-item' ? '"idx", "id"' : '"id" desc';
    const total =
      kind === 'record'
        ? statements.one('total', () => `select "count" from "${totals}" where "table" = ?`, name)
        : statements.one(`total ${columns.join()}`, (table) => `select count(*) from ${table}${filter}`, ...filters);
    const ids = statements
      .prepare(
        `ids ${columns.join()}`,
        (table) => `select "id" from ${table}${filter} order by ${order} limit ? offset ?`,
      )
      .all(...filters.map(bind), limit, offset) as unknown as [string][];

    let items = '';
    for (const [place, [id]] of ids.entries()) {
      if (items.length > longPage) {
        return { total: Number(total), count: ids.length, items: this.#pieces(statements, items, ids.slice(place)) };
      }
      items = join(items, this.#text(statements, id));
    }
    return { total: Number(total), count: ids.length, items };
  }

  /** Forgets the texts that a write has made untrue. New ones are built when they are asked for: most never are. */
  forget(write: Write): void {
    if (write.op === 'reorder') for (const { id } of write.items) this.#cache.delete(id);
    else if (write.op !== 'insert') this.#cache.delete(write.id);
  }

  #text(statements: Statements, id: string): string | undefined {
    const { name } = statements.table;
    const known = this.#cache.get(id);
    if (known?.table === name) return known.text;
    const text = statements.get(id);
    if (text !== undefined) this.#cache.set(id, { table: name, text });
    return text;
  }

  /** Forgets all texts where another connection has written since: https://sqlite.org/pragma.html#pragma_data_version */
  #forgetIfForeign(): void {
    const [version] = this.#version.get() as unknown as [unknown];
    if (version === this.#seen) return;
    this.#cache.clear();
    this.#seen = version;
  }

  /** The records of a long page, each read when it is asked for; one deleted in the meantime is left out. */
  *#pieces(statements: Statements, first: string, rest: readonly [string][]): Generator<string> {
    yield first;
    first = '';
    for (const [id] of rest) {
      const text = this.get(statements, id);
      if (text !== undefined) yield `,${text}`;
    }
  }
}

const join = (items: string, text: string | undefined): string => {
  if (text === undefined) return items;
  return items === '' ? text : `${items},${text}`;
};
