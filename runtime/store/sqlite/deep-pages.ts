import type { DatabaseSync } from 'node:sqlite';
import type { Table } from '../../schema/table.ts';
import type { Page } from '../store.ts';
import { connect } from './connection.ts';
import { idsOf, keysAt, type Range, totalOf } from './pages.ts';
import { type Statements, statementsOf } from './statements.ts';

/** Rows that are skipped in one go: about a millisecond's work. */
export const stride = 10_000;

/** The ids of a page, with what its listing says of the others. */
export interface PageOfIds {
  readonly total: number;
  readonly ids: readonly string[];
}

/**
 * Finds pages that begin far from either end of a list. To skip rows is work for each of them; it is done in strides, and
 * other requests have their turn between two. All strides see the list as it was at the first one.
 */
export class DeepPages {
  readonly #file: string;
  readonly #tables: readonly Table[];
  #database: DatabaseSync | undefined;
  #of: ((table: string) => Statements) | undefined;
  /** A connection has one transaction, so that one page is looked for at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(file: string, tables: readonly Table[]) {
    this.#file = file;
    this.#tables = tables;
  }

  find(table: string, page: Page): Promise<PageOfIds> {
    const found = this.#last.then(() => this.#find(table, page));
    this.#last = found.catch(() => undefined);
    return found;
  }

  async close(): Promise<void> {
    await this.#last;
    this.#database?.close();
    this.#database = undefined;
  }

  async #find(table: string, { limit, offset, where = {} }: Page): Promise<PageOfIds> {
    this.#database ??= connect(this.#file, 'rw');
    this.#of ??= statementsOf(this.#database, this.#tables);
    const statements = this.#of(table);
    this.#database.exec('begin');
    try {
      const total = totalOf(statements, where);
      const { isReversed, skip, count } = fromNearerEnd(total, limit, offset);
      let range: Range = { where, isReversed };
      for (let rest = skip; rest > 0;) {
        const step = Math.min(rest, stride);
        const behind = keysAt(statements, range, step - 1);
        if (!behind) return { total, ids: [] };
        range = { where, isReversed, behind };
        rest -= step;
        await new Promise(setImmediate);
      }
      const ids = idsOf(statements, range, count, 0);
      return { total, ids: isReversed ? ids.toReversed() : ids };
    } finally {
      // Some failures have ended it.
      if (this.#database.isTransaction) this.#database.exec('rollback');
    }
  }
}

/** How a page is reached with the fewest rows skipped: from which end, behind how many rows, and how many it has. */
export function fromNearerEnd(
  total: number,
  limit: number,
  offset: number,
): { isReversed: boolean; skip: number; count: number } {
  const count = Math.max(0, Math.min(limit, total - offset));
  const behind = Math.max(0, total - offset - count);
  return offset <= behind ? { isReversed: false, skip: offset, count } : { isReversed: true, skip: behind, count };
}
