import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { RecordCache } from './record-cache.ts';

/** Maximum milliseconds of a shared transaction. */
const maxDuration = 1;

/**
 * The read transaction of the main thread. The reads of one turn of the event loop share it and its snapshot, as beginning a
 * transaction takes as long as reading a record.
 */
export class ReadTransaction {
  readonly #database: DatabaseSync;
  readonly #cache: RecordCache;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #dataVersion: StatementSync;
  #isOpen = false;
  #openedAt = 0;
  /** Whether the cache is known to be current in this transaction. */
  #isCacheChecked = false;
  #seenVersion: unknown;

  constructor(database: DatabaseSync, cache: RecordCache) {
    this.#database = database;
    this.#cache = cache;
    this.#begin = database.prepare('begin');
    this.#commit = database.prepare('commit');
    this.#dataVersion = database.prepare('pragma data_version');
    this.#dataVersion.setReturnArrays(true);
  }

  /** Joins the transaction of this turn, or begins one. */
  enter(): void {
    // A turn with very many requests takes long: reads must see what other processes have acknowledged meanwhile.
    if (this.#isOpen && performance.now() - this.#openedAt > maxDuration) this.end();
    if (this.#isOpen) return;
    this.#openedAt = performance.now();
    this.#begin.run();
    this.#isOpen = true;
    this.#isCacheChecked = false;
    setImmediate(() => this.end());
  }

  end(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      this.#commit.run();
    } catch {
      // The file is damaged, for example: the next read fails.
      if (this.#database.isTransaction) this.#database.exec('rollback');
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

  /** The record cache, cleared if another connection has written: https://sqlite.org/pragma.html#pragma_data_version */
  get cache(): RecordCache {
    if (!this.#isCacheChecked) {
      const [version] = this.#dataVersion.get() as unknown as [unknown];
      this.#isCacheChecked = true;
      if (version !== this.#seenVersion) this.#cache.clear();
      this.#seenVersion = version;
    }
    return this.#cache;
  }

  /** Invalidates changed records in the cache, or all without `ids`. Later reads see the changes. */
  invalidate(ids: readonly string[] | undefined): void {
    this.end();
    if (ids) for (const id of ids) this.#cache.delete(id);
    else this.#cache.clear();
    // Callers of the writes may read in the microtasks that follow; the transaction of those reads must end after them.
    queueMicrotask(() => process.nextTick(() => this.end()));
  }
}
