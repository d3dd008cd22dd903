import type { DatabaseSync } from 'node:sqlite';
import { unavailable } from '../../errors.ts';
import type { Eventually } from '../../eventually.ts';
import type { Table } from '../../schema/table.ts';
import type { Listing, Page, Store, Write, WriteResult } from '../store.ts';
import { DeepPages } from './deep-pages.ts';
import { asUnavailable } from './failure.ts';
import { Place } from './place.ts';
import { Reader } from './reader.ts';
import { type Statements, statementsOf } from './statements.ts';
import { WriteQueue } from './write-queue.ts';

/**
 * A store in one SQLite file.
 *
 * Reads are answered at once, on this thread. Writes are committed in groups on another one, and answered when they are
 * on the disk (journal_mode=WAL, synchronous=FULL).
 */
export class SqliteStore implements Store {
  readonly #database: DatabaseSync;
  readonly #place: Place;
  readonly #of: (table: string) => Statements;
  readonly #deepPages: DeepPages;
  readonly #reader: Reader;
  readonly #writes: WriteQueue;
  #isOpen = true;

  /** @param database a connection to the file, whose schema is the wanted one; the store closes it */
  constructor(database: DatabaseSync, file: string, tables: readonly Table[]) {
    this.#database = database;
    this.#place = new Place(file);
    this.#of = statementsOf(database, tables);
    this.#deepPages = new DeepPages(file, tables);
    this.#reader = new Reader(database, this.#deepPages);
    this.#writes = new WriteQueue({ file, tables }, () => {
      // A write that is answered is seen by whatever is read from then on, and found by the next start.
      this.#reader.leave();
      this.#place.require();
    });
  }

  get(table: string, id: string): string | undefined {
    return this.#read(() => this.#reader.get(this.#of(table), id));
  }

  only(table: string): string {
    return this.#read(() => this.#reader.only(this.#of(table)));
  }

  list(table: string, page: Page): Eventually<Listing | undefined> {
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
    await this.#writes.close();
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

  #requireOpen(): void {
    if (!this.#isOpen) throw unavailable('The server is shutting down.', undefined);
  }
}
