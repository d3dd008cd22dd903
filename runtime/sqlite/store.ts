import { stat } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import { unavailable } from '../model/errors.ts';
import { maxWorkDuration } from '../model/limits.ts';
import type { MaybePromise } from '../model/maybe-promise.ts';
import type { Table } from '../model/table.ts';
import { Dml } from '../sql/table-sql.ts';
import { keyOf, selectKeys, selectKeyVersion, updateUses } from '../sql/key-table.ts';
import type { KeyTable, Records, Store, StoreContents, StoreMetrics } from '../records/store.ts';
import { Committer } from './committer.ts';
import { readerCacheKibibytes } from './connection.ts';
import { DatabaseWorker } from './database-worker.ts';
import { sqliteDialect, sqliteKeyDialect } from './dialect.ts';
import { asUnavailable } from './failure.ts';
import { FileGuard } from './file-guard.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { ReadTransaction } from './read-transaction.ts';
import { Reader } from './reader.ts';
import { Reads } from './reads.ts';
import { StoreCommitter } from './store-committer.ts';
import { isSyncSlow } from './sync-time.ts';
import { type Client, Turns } from './turns.ts';
import { WriteQueue } from './write-queue.ts';

/**
 * A store in one SQLite file.
 *
 * Short reads run on the main thread, all others on a worker thread. Writes are queued and committed in groups on the main
 * thread or a second worker thread; they resolve when they are on the disk (journal_mode=WAL, synchronous=FULL).
 */
export class SqliteStore implements Store {
  readonly #database: DatabaseSync;
  readonly #file: string;
  readonly #fileGuard: FileGuard;
  readonly #transaction: ReadTransaction;
  readonly #reader: Reader;
  readonly #reads: Reads;
  readonly #worker: DatabaseWorker;
  /** Started by the first read that is not short, so that writes do not wait for it. */
  readonly #readWorker: DatabaseWorker;
  readonly #writes: WriteQueue;
  readonly keys: KeyTable;
  #isOpen = true;

  /**
   * @param database a connection to the file, which must have the desired schema; the store closes it
   * @param maxDuration milliseconds after which a request is given up
   */
  constructor(database: DatabaseSync, file: string, tables: readonly Table[], maxDuration = maxWorkDuration) {
    // The main thread leaves checkpoints to the worker.
    database.exec(`pragma wal_autocheckpoint = 0; pragma cache_size = -${readerCacheKibibytes}`);
    const dml = new Dml(tables, sqliteDialect);
    const statements = new PreparedStatements(database);
    this.#database = database;
    this.#file = file;
    this.#worker = new DatabaseWorker({ file, tables });
    this.#worker.start();
    this.#readWorker = new DatabaseWorker({ file, tables });
    this.#transaction = new ReadTransaction(statements);
    // After a migration, SQLite creates the files beside the database at the first read.
    statements.run('select 1 from sqlite_schema limit 1');
    this.#fileGuard = new FileGuard(file, () => this.#checkpointLostWal());
    this.#reader = new Reader(dml, statements, this.#transaction);
    this.#reads = new Reads({
      dml,
      reader: this.#reader,
      transaction: this.#transaction,
      turns: new Turns(maxDuration),
      worker: () => {
        // A connection that is opened now must open the same file.
        this.#fileGuard.require();
        return this.#readWorker;
      },
    });
    this.#writes = new WriteQueue(
      new StoreCommitter(dml, new Committer(dml, statements), this.#worker, this.#transaction, this.#fileGuard),
      isSyncSlow(file),
      maxDuration,
    );
    this.keys = {
      version: () => this.#read(() => Number(statements.get(selectKeyVersion)?.[0])),
      find: (ids) => this.#read(() => statements.all(selectKeys(sqliteKeyDialect, ids)).map(keyOf)),
      noteUses: async (uses) => {
        this.#requireOpen();
        this.#fileGuard.require();
        // By the thread, which waits for locks.
        await this.#worker.change(updateUses(sqliteKeyDialect, uses));
      },
    };
  }

  of(organization: number): Records {
    const client: Client = { organization };
    return {
      get: (table, id, maxBytes) => this.#readLong(() => this.#reads.get(client, table, id, maxBytes)),
      show: (table, id, view) => this.#read(() => this.#reads.show(client, table, id, view)),
      only: (table) => this.#read(() => this.#reader.only(organization, table)),
      list: (table, page) => this.#readLong(() => this.#reads.list(client, table, page)),
      newest: (table) => this.#read(() => this.#reader.newest(organization, table)),
      write: async (write) => {
        this.#requireOpen();
        return this.#writes.write({ ...write, organization });
      },
    };
  }

  #readLong<T>(read: () => MaybePromise<T>): MaybePromise<T> {
    const found = this.#read(read);
    if (!(found instanceof Promise)) return found;
    return found.catch((error: unknown) => {
      // It may be read when the database is closed already.
      this.#requireOpen();
      throw asUnavailable(error);
    });
  }

  async check(): Promise<void> {
    this.#fileGuard.require();
    this.#read(() => this.#database.prepare('select 1 from sqlite_schema limit 1').get());
  }

  metrics(): StoreMetrics {
    const { length: queuedWrites, commits, groups } = this.#writes;
    const { hits: cacheHits, misses: cacheMisses } = this.#transaction.cacheMetrics;
    return {
      queuedWrites,
      commits,
      groups,
      cacheHits,
      cacheMisses,
      replicaReads: 0,
      replicaFailures: 0,
      connections: 0,
    };
  }

  async contents(): Promise<StoreContents> {
    this.#requireOpen();
    // By a thread, as there may be many organizations.
    this.#fileGuard.require();
    const rows = await this.#readWorker.rowCounts();
    const sizes = [this.#file, `${this.#file}-wal`].map(
      async (file) => (await stat(file).catch(() => undefined))?.size ?? 0,
    );
    const [main = 0, wal = 0] = await Promise.all(sizes);
    return { bytes: main + wal, rows: new Map(rows.map(([table, count]) => [String(table), Number(count)])) };
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.#writes.drain();
    await Promise.all([this.#worker.close(), this.#readWorker.close()]);
    this.#transaction.end();
    // A checkpoint, as this is the last connection.
    this.#database.close();
  }

  #read<T>(read: () => T): T {
    this.#requireOpen();
    this.#fileGuard.requireRecently();
    try {
      this.#transaction.enter();
      return read();
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  /** Moves the write-ahead log into the database, on this connection: a new one would create another log. */
  #checkpointLostWal(): void {
    this.#transaction.end();
    try {
      this.#database.exec('pragma wal_checkpoint(passive)');
    } catch {
      // The next check calls it again.
    }
  }

  #requireOpen(): void {
    if (!this.#isOpen) throw unavailable('The server is shutting down.');
  }
}
