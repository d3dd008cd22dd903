import type { DatabaseSync } from 'node:sqlite';
import { unavailable } from '../../errors.ts';
import type { MaybePromise } from '../../maybe-promise.ts';
import type { Table } from '../../schema/table.ts';
import type { Listing, Page, Store, Write, WriteResult } from '../store.ts';
import { Committer } from './committer.ts';
import { readerCacheKibibytes } from './connection.ts';
import { DeepPages } from './deep-pages.ts';
import { asUnavailable } from './failure.ts';
import { FileGuard } from './file-guard.ts';
import { Reader } from './reader.ts';
import { type Statements, statementsOf } from './statements.ts';
import { ThreadCommitter } from './thread-committer.ts';
import { WriteQueue } from './write-queue.ts';

/** Items of a reorder that may hold up this thread. */
const shortReorder = 20;

/**
 * A store in one SQLite file.
 *
 * Reads are answered at once, on this thread. Writes are committed in groups, here or on another thread, and answered
 * when they are on the disk (journal_mode=WAL, synchronous=FULL).
 */
export class SqliteStore implements Store {
  readonly #database: DatabaseSync;
  readonly #place: FileGuard;
  readonly #of: (table: string) => Statements;
  readonly #deepPages: DeepPages;
  readonly #reader: Reader;
  readonly #thread: ThreadCommitter;
  readonly #writes: WriteQueue;
  #isOpen = true;

  /** @param database a connection to the file, whose schema is the wanted one; the store closes it */
  constructor(database: DatabaseSync, file: string, tables: readonly Table[]) {
    this.#database = database;
    this.#place = new FileGuard(file);
    this.#of = statementsOf(database, tables);
    this.#deepPages = new DeepPages(file, tables);
    this.#reader = new Reader(database, this.#deepPages);
    // The journal is moved into the database by the other thread, whose commits nobody waits for.
    database.exec(`pragma wal_autocheckpoint = 0; pragma cache_size = -${readerCacheKibibytes}`);
    const committer = new Committer(database, this.#of);
    this.#thread = new ThreadCommitter({ file, tables });
    this.#writes = new WriteQueue({
      here: (writes) => {
        this.#reader.leave();
        return committer.commit(writes, false);
      },
      there: async (writes, movesJournal) => {
        // A thread that takes the place of another must find the same file.
        this.#place.require();
        const commit = (): ReturnType<ThreadCommitter['commit']> => this.#thread.commit(writes);
        return movesJournal ? this.#deepPages.pauseFor(commit) : commit();
      },
      isLong: (write) => this.#isLong(write),
      committed: (writes) => {
        // A write that is answered is seen by whatever is read from then on, and found by the next start.
        this.#reader.forget(writes);
        this.#place.require();
      },
    });
  }

  get(table: string, id: string): string | undefined {
    return this.#read(() => this.#reader.get(this.#of(table), id));
  }

  only(table: string): string {
    return this.#read(() => this.#reader.only(this.#of(table)));
  }

  list(table: string, page: Page): MaybePromise<Listing | undefined> {
    const listing = this.#read(() => this.#reader.list(this.#of(table), page));
    if (!(listing instanceof Promise)) return listing;
    return listing.catch((error: unknown) => {
      throw asUnavailable(error);
    });
  }

  async write(write: Write): Promise<WriteResult> {
    this.#requireOpen();
    return this.#writes.write(write);
  }

  async check(): Promise<void> {
    this.#place.require();
    this.#read(() => this.#database.prepare('select 1 from sqlite_schema limit 1').get());
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#writes.drain();
    await this.#thread.close();
    await this.#deepPages.close();
    this.#reader.leave();
    // The last connection moves the journal into the file.
    this.#database.close();
  }

  #read<T>(read: () => T): T {
    this.#requireOpen();
    this.#place.requireLately();
    try {
      return read();
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  #isLong(write: Write): boolean {
    if (write.op === 'delete') return this.#of(write.table).children.length > 0;
    return write.op === 'reorder' && write.items.length > shortReorder;
  }

  #requireOpen(): void {
    if (!this.#isOpen) throw unavailable('The server is shutting down.', undefined);
  }
}
