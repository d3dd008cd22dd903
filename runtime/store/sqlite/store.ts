import type { DatabaseSync } from 'node:sqlite';
import type { Table } from '../../schema/table.ts';
import type { Listing, Page, Store, Write, WriteResult } from '../store.ts';
import { asUnavailable } from './failure.ts';
import { Reader } from './reader.ts';
import { Statements } from './statements.ts';
import { Totals } from './totals.ts';
import { Writer } from './writer.ts';

interface Waiting {
  readonly write: Write;
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A store in one SQLite file.
 *
 * Reads run at once. Writes that arrive together share one transaction and are answered when it is on the disk
 * (journal_mode=WAL, synchronous=FULL): one fsync for all of them.
 */
export class SqliteStore implements Store {
  readonly #database: DatabaseSync;
  readonly #statements: ReadonlyMap<string, Statements>;
  readonly #totals: Totals;
  readonly #writer: Writer;
  readonly #reader: Reader;
  #waiting: Waiting[] = [];
  #ready = true;

  constructor(database: DatabaseSync, tables: readonly Table[]) {
    this.#database = database;
    this.#reader = new Reader(database);
    this.#totals = new Totals(database);
    this.#writer = new Writer((table) => this.#of(table), this.#totals);
    this.#statements = new Map(
      tables.map((table) => {
        const children = tables.filter(({ parent }) => parent?.table === table.name);
        return [table.name, new Statements(database, table, children)];
      }),
    );
  }

  async get(table: string, id: string): Promise<string | undefined> {
    return this.#read(() => this.#reader.get(this.#of(table), id));
  }

  async only(table: string): Promise<string> {
    return this.#read(
      () => this.#of(table).one('only', (name, json) => `select ${json} from ${name} order by "id" limit 1`) as string,
    );
  }

  async list(table: string, page: Page): Promise<Listing | undefined> {
    return this.#read(() => this.#reader.list(this.#of(table), page));
  }

  write(write: Write): Promise<WriteResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      // After the requests that have arrived by now, so that their writes join this one.
      if (this.#waiting.length === 1) setImmediate(() => this.#commitWaiting());
    });
  }

  async check(): Promise<void> {
    this.#read(() => this.#database.prepare('select 1').get());
  }

  async close(): Promise<void> {
    if (!this.#ready) return;
    this.#commitWaiting();
    this.#ready = false;
    this.#database.close();
  }

  #of(table: string): Statements {
    const statements = this.#statements.get(table);
    if (!statements) throw new Error(`The store was opened without a table "${table}".`);
    return statements;
  }

  #read<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  #commitWaiting(): void {
    const batch = this.#waiting;
    this.#waiting = [];
    if (batch.length === 0) return;
    const results: (WriteResult | { error: unknown })[] = [];
    try {
      this.#database.exec('begin immediate');
      for (const { write } of batch) results.push(this.#apply(write));
      this.#totals.flush();
      this.#database.exec('commit');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('rollback');
      this.#totals.discard();
      for (const { reject } of batch) reject(asUnavailable(error));
      return;
    }
    batch.forEach(({ write, resolve, reject }, place) => {
      const result = results[place] as WriteResult | { error: unknown };
      if ('error' in result) {
        reject(asUnavailable(result.error));
      } else {
        this.#reader.note(write, result);
        resolve(result);
      }
    });
  }

  /** Does one write of a batch. One that fails leaves nothing behind and does not harm the others. */
  #apply(write: Write): WriteResult | { error: unknown } {
    const statements = this.#of(write.table);
    // SQLite undoes a failed statement by itself; only what takes several needs a savepoint.
    const several = write.op === 'reorder' || (write.op === 'delete' && statements.children.length > 0);
    if (several) this.#database.exec('savepoint one');
    try {
      const result = this.#writer.run(write);
      if (several) this.#database.exec('release one');
      return result;
    } catch (error) {
      // A full disk or a failing one ends the whole transaction: then all of the batch fails.
      if (!this.#database.isTransaction) throw error;
      if (several) this.#database.exec('rollback to one; release one');
      return { error };
    }
  }
}
