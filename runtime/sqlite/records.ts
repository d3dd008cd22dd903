import { mayBeLarge } from '../model/limits.ts';
import type { Table } from '../model/table.ts';
import { andThen, type MaybePromise } from '../model/maybe-promise.ts';
import { maxPageBytes, maxShortAnswer, shortPage } from '../records/limits.ts';
import type { EventPage, EventQuery, Records, StoredRecord } from '../records/store.ts';
import type { Items, ItemStream, Listing, Page, Projection } from '../records/page.ts';
import { type Once, type StoredAnswer, unknownOrigin, type Write, type WriteResult } from '../records/write.ts';
import { isFiltered } from '../sql/list.ts';
import { ProjectionSql, streamExpanded, withCommas } from '../sql/projection.ts';
import type { TableSql } from '../sql/table-sql.ts';
import type { Dml } from '../sql/dml.ts';
import type { CommitScheduler } from './commit-scheduler.ts';
import type { DatabaseWorker } from './database-worker.ts';
import type { JobOwner, JobQueue } from './job-queue.ts';
import { type Reader, type RecordsPart, separated } from './reader.ts';

/** The parts of the store that the records of all organizations share. */
export interface Resources {
  readonly dml: Dml;
  /** Reads on the main thread. */
  readonly reader: Reader;
  readonly jobs: JobQueue;
  /** Reads on the worker thread. */
  readonly worker: DatabaseWorker;
  readonly writes: CommitScheduler;
  /** Checks that the files are in their places, and turns errors of the database into ApiErrors. */
  read<T>(read: () => MaybePromise<T>): MaybePromise<T>;
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

  constructor(resources: Resources, organization: number) {
    this.#with = resources;
    this.organization = organization;
  }

  get tables(): readonly Table[] {
    return this.#with.dml.tables;
  }

  get(table: string, id: string): MaybePromise<StoredRecord | undefined> {
    return this.#read(table, (sql) => (mayBeLarge(sql.table) ? this.#long(table, id) : this.#with.reader.get(sql, id)));
  }

  show(table: string, id: string, projection: Projection): MaybePromise<Items | undefined> {
    return this.#read(table, (sql) =>
      andThen(this.#record(sql, id, projection), (part) =>
        part.chunks.length + part.rest.length > 0 ? this.#items(sql, part, projection) : undefined,
      ),
    );
  }

  only(table: string): MaybePromise<StoredRecord> {
    return this.#read(table, (sql) => this.#with.reader.only(sql));
  }

  newest(table: string): MaybePromise<readonly string[]> {
    return this.#read(table, (sql) => this.#with.reader.newest(sql));
  }

  list(table: string, page: Page): MaybePromise<Listing | undefined> {
    return this.#read(table, (sql) => this.#list(sql, page));
  }

  async write(write: Write, origin = unknownOrigin()): Promise<WriteResult> {
    this.#with.requireOpen();
    return this.#with.writes.write({ ...write, organization: this.organization, origin });
  }

  async answer(once: Once, time: string, maxBytes?: number): Promise<StoredAnswer | undefined> {
    const { jobs, reader, worker } = this.#with;
    return this.#with.read(() => {
      const stored = reader.answer(this.organization, once, time, maxShortAnswer);
      if (!stored || stored.answer || (maxBytes ?? Infinity) <= maxShortAnswer) return stored;
      return jobs.run(this, () => worker.run('answer', this.organization, once, time, maxBytes));
    });
  }

  async events(query: EventQuery): Promise<EventPage> {
    const { jobs, worker } = this.#with;
    return this.#with.read(() => jobs.run(this, () => worker.run('events', this.organization, query)));
  }

  #read<T>(table: string, read: (sql: TableSql) => MaybePromise<T>): MaybePromise<T> {
    const { dml } = this.#with;
    return this.#with.read(() => read(dml.of(table, this.organization)));
  }

  #list(sql: TableSql, page: Page): MaybePromise<Listing | undefined> {
    const { reader, jobs } = this.#with;
    if (page.limit <= shortPage && !page.projection?.expand?.length && !mayBeLarge(sql.table)) {
      const part = reader.page(sql, page, true);
      if (part === undefined) return undefined;
      if (part !== 'too expensive' && part.rest.length === 0) {
        return { total: part.total, hasMore: part.hasMore, items: separated(part.chunks) };
      }
    }
    const { version } = reader;
    return jobs.run(this, () => this.#longList(sql, page, version));
  }

  /** @param version that of the database at some time before */
  async #longList(sql: TableSql, page: Page, version: number): Promise<Listing | undefined> {
    const { reader, worker } = this.#with;
    const part = await worker.run('page', this.organization, sql.table.name, page);
    if (!part) return undefined;
    const { total, hasMore } = part;
    if (isFiltered(page)) reader.rememberTotal(sql, page, total, version);
    return { total, hasMore, items: this.#items(sql, part, page.projection) };
  }

  async #long(table: string, id: string): Promise<StoredRecord | undefined> {
    const { jobs, worker } = this.#with;
    const record = await jobs.run(this, () => worker.run('record', this.organization, table, id));
    const [bytes] = record?.chunks ?? [];
    return record && bytes && { json: Buffer.from(bytes.buffer), version: record.version };
  }

  #record(sql: TableSql, id: string, projection: Projection): MaybePromise<RecordsPart> {
    if (!mayBeLarge(sql.table)) return this.#with.reader.records(sql, [id], projection);
    return this.#with.jobs.run(this, () => this.#onWorker(sql, [id], projection));
  }

  #onWorker({ table }: TableSql, ids: readonly string[], projection?: Projection): Promise<RecordsPart> {
    return this.#with.worker.run('records', this.organization, table.name, ids, projection);
  }

  #items(sql: TableSql, part: RecordsPart, projection?: Projection): Items {
    const isLong = part.rest.length > 0 || part.chunks.some(({ length }) => length > maxPageBytes);
    return isLong ? withCommas(this.#parts(sql, part, projection)) : separated(part.chunks);
  }

  /** The first part, which has been read, then a part at a time. Commas belong between them. */
  async *#parts(sql: TableSql, first: RecordsPart, projection?: Projection): AsyncGenerator<Part> {
    const { jobs } = this.#with;
    for (const chunk of first.chunks) yield [chunk];
    for (let { rest } = first; rest.length > 0;) {
      const ids = rest.slice(0, shortPage);
      const part = await jobs.continue(this, () => this.#onWorker(sql, ids, projection));
      const count = ids.length - part.rest.length;
      rest = rest.slice(Math.max(count, 1));
      for (const chunk of part.chunks) yield [chunk];
      if (count === 0 && projection) yield* this.#withLists(sql, ids[0] as string, projection);
    }
  }

  /** A record whose lists of line items are too long to be read with it, unless it is gone. */
  async *#withLists(sql: TableSql, id: string, projection: Projection): AsyncGenerator<ItemStream> {
    const { dml, jobs, reader } = this.#with;
    const { chunks } = await jobs.continue(this, () => this.#onWorker(sql, [id], { ...projection, expand: [] }));
    const [record] = chunks;
    if (!record) return;
    yield streamExpanded(new ProjectionSql(dml, sql, projection), id, [record.subarray(0, -1)], (items, page) =>
      jobs.continue(this, () => this.#longList(items, page, reader.version)),
    );
  }
}

type Part = Iterable<Uint8Array> | ItemStream;
