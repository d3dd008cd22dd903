import { stat } from 'node:fs/promises';
import type { DatabaseSync } from 'node:sqlite';
import type { Features } from '../../kernel/feature.ts';
import { unavailable } from '../../kernel/model/errors.ts';
import { maxWorkDuration } from '../../kernel/model/limits.ts';
import type { Table } from '../../kernel/model/table.ts';
import { Dml } from '../../kernel/sql/dml.ts';
import type { Row } from '../../kernel/sql/types.ts';
import { readAllCounters } from '../../kernel/sql/row-counters.ts';
import type { Records, StatementOf, Store, StoreContents, StoreMetrics } from '../../kernel/records/store.ts';
import { CommitScheduler } from './commit-scheduler.ts';
import { DatabaseWorker } from './database-worker.ts';
import { sqliteDialect } from './dialect.ts';
import { asUnavailable } from './failure.ts';
import { FileGuard } from './file-guard.ts';
import { PreparedStatements } from './prepared-statements.ts';
import { RecordCache } from './record-cache.ts';
import { Reader } from './reader.ts';
import { type Resources, SqliteRecords } from './records.ts';
import { isSyncSlow } from './sync-time.ts';
import { JobQueue } from './job-queue.ts';
import { Writer } from './writer.ts';

/**
 * A store in one SQLite file.
 *
 * Short reads run on the main thread, all others on a worker thread. Writes are queued and committed in groups on the main
 * thread or a second worker thread; they resolve when they are on the disk (journal_mode=WAL, synchronous=FULL).
 */
export class SqliteStore implements Store, Resources {
  readonly #database: DatabaseSync;
  readonly #file: string;
  readonly #fileGuard: FileGuard;
  readonly #cache = new RecordCache();
  readonly #writeWorker: DatabaseWorker;
  readonly dml: Dml;
  readonly reader: Reader;
  readonly jobs: JobQueue;
  readonly worker: DatabaseWorker;
  readonly writes: CommitScheduler;
  #isOpen = true;

  /**
   * @param database a connection to the file, which must have the desired schema; the store closes it
   * @param maxDuration milliseconds after which a request is given up
   */
  constructor(
    features: Features,
    database: DatabaseSync,
    file: string,
    tables: readonly Table[],
    maxDuration = maxWorkDuration,
  ) {
    // The main thread leaves checkpoints to the worker.
    database.exec('pragma wal_autocheckpoint = 0');
    const statements = new PreparedStatements(database);
    this.#database = database;
    this.#file = file;
    // After a migration, SQLite creates the files beside the database at the first read.
    statements.run('select 1 from sqlite_schema limit 1');
    this.#fileGuard = new FileGuard(file, () => this.#checkpointLostWal(statements));
    this.#writeWorker = new DatabaseWorker(features, file, tables, this.#fileGuard);
    this.dml = new Dml(tables, sqliteDialect, features.list);
    this.reader = new Reader(this.dml, statements, this.#cache);
    this.jobs = new JobQueue(maxDuration);
    this.worker = new DatabaseWorker(features, file, tables, this.#fileGuard);
    this.writes = new CommitScheduler({
      dml: this.dml,
      writer: new Writer(this.dml, statements),
      worker: this.#writeWorker,
      reader: this.reader,
      fileGuard: this.#fileGuard,
      isSyncSlow: isSyncSlow(file),
      maxDuration,
    });
  }

  of(organization: number): Records {
    return new SqliteRecords(this, organization);
  }

  async rows(statement: StatementOf): Promise<readonly Row[]> {
    return this.read(() => this.reader.rows([statement(sqliteDialect)])[0] ?? []);
  }

  async execute(statement: StatementOf): Promise<void> {
    // By the thread, which waits for locks.
    await this.#writeWorker.run('rows', [statement(sqliteDialect)]);
  }

  async check(): Promise<void> {
    this.#fileGuard.require();
    this.read(() => this.#database.prepare('select 1 from sqlite_schema limit 1').get());
  }

  metrics(): StoreMetrics {
    const { length: queuedWrites, commits, groups } = this.writes;
    const { hits: cacheHits, misses: cacheMisses } = this.#cache;
    return { queuedWrites, commits, groups, cacheHits, cacheMisses };
  }

  async contents(): Promise<StoreContents> {
    // By a thread, as there may be many organizations.
    const [rows = []] = await this.worker.run('rows', [readAllCounters(this.dml.tables)]);
    const sizes = [this.#file, `${this.#file}-wal`].map(
      async (file) => (await stat(file).catch(() => undefined))?.size ?? 0,
    );
    const [main = 0, wal = 0] = await Promise.all(sizes);
    return { bytes: main + wal, rows: new Map(rows.map(([table, count]) => [String(table), Number(count)])) };
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    await this.writes.close();
    await Promise.all([this.#writeWorker.close(), this.worker.close()]);
    // A checkpoint, as this is the last connection.
    this.#database.close();
  }

  read<T>(read: () => T): T {
    this.requireOpen();
    this.#fileGuard.requireRecently();
    try {
      this.reader.begin();
      return read();
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  /** Moves the write-ahead log into the database, on this connection: a new one would create another log. */
  #checkpointLostWal(statements: PreparedStatements): void {
    try {
      statements.rollback();
      statements.run('pragma wal_checkpoint(passive)');
    } catch {
      // The next check calls it again.
    }
  }

  requireOpen(): void {
    if (!this.#isOpen) throw unavailable('The server is shutting down.');
  }
}
