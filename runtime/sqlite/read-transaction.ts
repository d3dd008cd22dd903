import type { PreparedStatements } from './prepared-statements.ts';
import { RecordCache } from './record-cache.ts';
import { Totals } from './totals.ts';

/** Maximum milliseconds of a shared transaction. */
const maxDuration = 1;

/**
 * The read transaction of the main thread. The reads of one turn of the event loop share it and its snapshot, as beginning a
 * transaction takes as long as reading a record.
 */
export class ReadTransaction {
  readonly #statements: PreparedStatements;
  readonly #cache = new RecordCache();
  #isOpen = false;
  #openedAt = 0;
  /** Whether the cache is known to be current in this transaction. */
  #isCacheChecked = false;
  #seenVersion: unknown;
  #version = 0;
  readonly totals = new Totals(() => this.version);

  constructor(statements: PreparedStatements) {
    this.#statements = statements;
  }

  /** Joins the transaction of this turn, or begins one. */
  enter(): void {
    // A turn with very many requests takes long: reads must see what other processes have acknowledged meanwhile.
    if (this.#isOpen && performance.now() - this.#openedAt > maxDuration) this.end();
    if (this.#isOpen) return;
    this.#openedAt = performance.now();
    this.#statements.run('begin');
    this.#isOpen = true;
    this.#isCacheChecked = false;
    setImmediate(() => this.end());
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      this.#statements.run('commit');
    } catch {
      // The file is damaged, for example: the next read fails.
      this.#statements.rollback();
    }
  }

  /**
   * Reads in a transaction that ends immediately. One begun after the `setImmediate` phase would last until the end of the
   * next turn, whose requests may follow a write acknowledged by another process.
   */
  readAlone<T>(read: () => T): T {
    this.enter();
    try {
      return read();
    } finally {
      this.end();
    }
  }

  get cacheMetrics(): { readonly hits: number; readonly misses: number } {
    return this.#cache;
  }

  /** The record cache, cleared if another connection has written: https://sqlite.org/pragma.html#pragma_data_version */
  get cache(): RecordCache {
    if (!this.#isCacheChecked) {
      const version = this.#statements.run('pragma data_version')?.[0];
      this.#isCacheChecked = true;
      if (version !== this.#seenVersion) {
        this.#cache.clear();
        this.#version++;
      }
      this.#seenVersion = version;
    }
    return this.#cache;
  }

  /** The number of changes of the database that are known: while it stays, no other connection has written. */
  get version(): number {
    return this.cache && this.#version;
  }

  /** Invalidates changed records in the cache, or all without `ids`. Later reads see the changes. */
  invalidate(ids: readonly string[] | undefined): void {
    this.end();
    this.#version++;
    if (ids) for (const id of ids) this.#cache.delete(id);
    else this.#cache.clear();
    // Callers of the writes may read in the microtasks that follow; the transaction of those reads must end after them.
    queueMicrotask(() => process.nextTick(() => this.end()));
  }
}
