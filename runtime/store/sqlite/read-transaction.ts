import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { RecordCache } from './record-cache.ts';

/** Milliseconds that reads share a transaction for at most. */
const maxDuration = 1;

/**
 * The read transaction of the main thread. The reads of one turn of the event loop share it, for to begin one costs as much
 * as to look up a record: they see the database as it is at the first of them.
 */
export class ReadTransaction {
  readonly #database: DatabaseSync;
  readonly #cache: RecordCache;
  readonly #begin: StatementSync;
  readonly #commit: StatementSync;
  readonly #dataVersion: StatementSync;
  #isOpen = false;
  #openedAt = 0;
  /** Whether it is known in this transaction that the cache is right. */
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

  /** Enters the transaction of this turn. */
  enter(): void {
    // With very many connections a turn takes long: what was answered elsewhere meanwhile must be seen.
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
      // Of a damaged file, say: whoever reads next is told.
      if (this.#database.isTransaction) this.#database.exec('rollback');
    }
  }

  /**
   * Reads in a transaction that ends at once. After a `setImmediate` that of a turn would last to the end of the next one,
   * whose requests may have come after a write of another process was answered.
   */
  readAlone<T>(read: () => T): T {
    this.enter();
    try {
      return read();
    } finally {
      this.end();
    }
  }

  /** The cache of records, empty where another connection has written: https://sqlite.org/pragma.html#pragma_data_version */
  get cache(): RecordCache {
    if (!this.#isCacheChecked) {
      const [version] = this.#dataVersion.get() as unknown as [unknown];
      this.#isCacheChecked = true;
      if (version !== this.#seenVersion) this.#cache.clear();
      this.#seenVersion = version;
    }
    return this.#cache;
  }

  /** Invalidates records that are changed on the disk now; all of them without `ids`. What is read from now on sees them. */
  invalidate(ids: readonly string[] | undefined): void {
    this.end();
    if (ids) for (const id of ids) this.#cache.delete(id);
    else this.#cache.clear();
    // Those whose writes are answered read at once, between two turns: after them all, so that it ends there, too.
    queueMicrotask(() => process.nextTick(() => this.end()));
  }
}
