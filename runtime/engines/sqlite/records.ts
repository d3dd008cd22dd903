import type { Table } from '../../kernel/model/table.ts';
import { shortPage } from '../../kernel/records/limits.ts';
import type { Records, StoredRecord } from '../../kernel/records/store.ts';
import type { Listing, Page, Projection, ShownRecords } from '../../kernel/records/page.ts';
import { unknownOrigin, type Write, type WriteResult } from '../../kernel/records/write.ts';
import { isFiltered } from '../../kernel/sql/list.ts';
import { follow } from '../../kernel/sql/steps.ts';
import type { TableSql } from '../../kernel/sql/table-sql.ts';
import type { Dml } from '../../kernel/sql/dml.ts';
import type { Read } from '../../kernel/sql/types.ts';
import type { CommitScheduler } from './commit-scheduler.ts';
import type { DatabaseWorker } from './database-worker.ts';
import type { JobOwner, JobQueue } from './job-queue.ts';
import { TooExpensive } from './page-reader.ts';
import type { Reader } from './reader.ts';

/** The parts of the store that the records of all organizations share. */
export interface Resources {
  readonly dml: Dml;
  /** Reads on the main thread. */
  readonly reader: Reader;
  readonly jobs: JobQueue;
  /** Reads on the worker thread. */
  readonly worker: DatabaseWorker;
  readonly writes: CommitScheduler;
  /** Reads on the main thread, if the files are in their places. @throws ApiError `unavailable` */
  read<T>(read: () => T): T;
  /** @throws ApiError `unavailable` after `close` */
  requireOpen(): void;
}

/**
 * The records of one organization, for one key. Short lists and records are read on the main thread. The worker thread reads what is
 * counted, searched, deep or may be large, one key after the other.
 */
export class SqliteRecords implements Records, JobOwner {
  readonly organization: number;
  readonly #with: Resources;
  readonly #tables = new Map<string, TableSql>();

  constructor(resources: Resources, organization: number) {
    this.#with = resources;
    this.organization = organization;
  }

  get tables(): readonly Table[] {
    return this.#with.dml.tables;
  }

  async get(table: string, id: string): Promise<StoredRecord | undefined> {
    const sql = this.#of(table);
    return sql.isLarge ? this.#long(table, id) : this.#with.read(() => this.#with.reader.get(sql, id));
  }

  async show(table: string, ids: readonly string[], projection?: Projection): Promise<ShownRecords | undefined> {
    const { reader, jobs, worker } = this.#with;
    const sql = this.#of(table);
    return ids.length === 1 && !sql.isLarge
      ? this.#with.read(() => reader.show(sql, ids, projection))
      : jobs.continue(this, () => worker.run('show', this.organization, table, ids, projection));
  }

  async only(table: string): Promise<StoredRecord> {
    return this.#with.read(() => this.#with.reader.only(this.#of(table)));
  }

  async newest(table: string): Promise<readonly string[]> {
    return this.#with.read(() => this.#with.reader.newest(this.#of(table)));
  }

  async list(table: string, page: Page): Promise<Listing | undefined> {
    const { reader, jobs } = this.#with;
    const sql = this.#of(table);
    if (page.limit <= shortPage && !page.projection?.expand?.length && !sql.isLarge) {
      try {
        return this.#with.read(() => reader.page(sql, page, true));
      } catch (error) {
        if (!(error instanceof TooExpensive)) throw error;
      }
    }
    const { version } = reader;
    return jobs.run(this, () => this.#longList(sql, page, version));
  }

  async write(write: Write, origin = unknownOrigin()): Promise<WriteResult> {
    this.#with.requireOpen();
    return this.#with.writes.write({ ...write, organization: this.organization, origin });
  }

  async ask<Args extends readonly unknown[], T>(read: Read<Args, T>, ...args: Args): Promise<T> {
    const { dml, jobs, reader, worker } = this.#with;
    const steps = read.steps(dml, this.organization, ...args);
    return read.isQuick
      ? follow(steps, ({ statements }) => this.#with.read(() => reader.rows(statements)))
      : jobs.run(this, () => follow(steps, ({ statements }) => worker.run('rows', statements)));
  }

  #of(table: string): TableSql {
    return this.#tables.getOrInsertComputed(table, () => this.#with.dml.of(table, this.organization));
  }

  /** @param version that of the database at some time before */
  async #longList(sql: TableSql, page: Page, version: number): Promise<Listing | undefined> {
    const { reader, worker } = this.#with;
    const listing = await worker.run('page', this.organization, sql.table.name, page);
    if (listing && isFiltered(page)) reader.rememberTotal(sql, page, listing.total, version);
    return listing;
  }

  async #long(table: string, id: string): Promise<StoredRecord | undefined> {
    const { jobs, worker } = this.#with;
    const record = await jobs.run(this, () => worker.run('record', this.organization, table, id));
    return record && { json: Buffer.from(record.json.buffer), version: record.version };
  }
}
