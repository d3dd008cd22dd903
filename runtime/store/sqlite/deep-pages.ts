import type { DatabaseSync } from 'node:sqlite';
import { unavailable } from '../../errors.ts';
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

/** Pages that may wait to be looked for: each of them takes up to 50 ms for every million rows. */
const mostWaiting = 32;

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
  #isBusy = false;
  readonly #waiting: (() => void)[] = [];
  #isClosed = false;

  constructor(file: string, tables: readonly Table[]) {
    this.#file = file;
    this.#tables = tables;
  }

  /** @throws ApiError `unavailable` where too many wait already, and after `close`. */
  async find(table: string, page: Page): Promise<PageOfIds> {
    if (this.#waiting.length >= mostWaiting) {
      throw unavailable(
        'Too many pages far from the beginning are asked for. Try again, or go on by "after".',
        undefined,
      );
    }
    return this.#alone(() => this.#find(table, page), false);
  }

  /** Does something while no page is looked for: until then, the journal cannot be moved into the database whole. */
  pauseFor<T>(work: () => Promise<T>): Promise<T> {
    return this.#alone(work, true);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#alone(async () => this.#database?.close(), false);
  }

  async #alone<T>(work: () => Promise<T>, isUrgent: boolean): Promise<T> {
    if (this.#isBusy) {
      await new Promise<void>((resolve) => {
        if (isUrgent) this.#waiting.unshift(resolve);
        else this.#waiting.push(resolve);
      });
    }
    this.#isBusy = true;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#isBusy = false;
    }
  }

  async #find(table: string, { limit, offset, where = {} }: Page): Promise<PageOfIds> {
    if (this.#isClosed) throw unavailable('The server is shutting down.', undefined);
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
