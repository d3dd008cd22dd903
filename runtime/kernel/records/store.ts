import type { Table } from '../model/table.ts';
import type { Histogram } from '../../observability/histogram.ts';
import type { Listing, Page, Projection, ShownRecords } from './page.ts';
import type { QueryDialect } from '../sql/query-dialect.ts';
import type { Read, Row, Statement } from '../sql/types.ts';
import type { Origin, Write, WriteResult } from './write.ts';

/** A database of records. */
export interface Store {
  /**
   * The records of an organization, for one client; `mainOrganization` is there from the start. With replicas, a
   * read may be some seconds behind, but finds what was written by the same `Records`, and by all others before they were made.
   */
  of(organization: number): Records;
  /** Rows of tables that belong to no organization. */
  rows(statement: StatementOf): Promise<readonly Row[]>;
  /** Executes a statement that changes such rows. */
  execute(statement: StatementOf): Promise<void>;
  /** Resolves if the database answers and has the desired schema. */
  check(): Promise<void>;
  /** The counters of this process since its start. */
  metrics(): StoreMetrics;
  /** The size and the row counts of the database. Quick, however large it is. */
  contents(): Promise<StoreContents>;
  /** Finishes the pending writes and closes the database. */
  close(): Promise<void>;
}

/**
 * The records of one organization. They are read and written as the JSON that a response contains, which is
 * built from the tables that the store was opened with. Tables are passed by name, and a write is plain data, so that
 * another thread can do it.
 *
 * Every method throws ApiError `unavailable` while the database cannot answer, and after `close`; `overloaded` if there is
 * too much to do, or it has taken too long.
 */
export interface Records {
  /** The tables that the store was opened with. */
  readonly tables: readonly Table[];
  /** @param isCurrent whether a replica is not asked */
  get(table: string, id: string, isCurrent?: boolean): Promise<StoredRecord | undefined>;
  /**
   * Shows these records in this order, without the missing ones. Undefined if their JSON is longer than `maxPageBytes`, unless it is one
   * record without lists.
   */
  show(table: string, ids: readonly string[], projection?: Projection): Promise<ShownRecords | undefined>;
  /** The one record of a singleton. */
  only(table: string, isCurrent?: boolean): Promise<StoredRecord>;
  /**
   * A page of records, newest first; of line items, those of one parent by `idx`, then oldest first. Undefined if `after`
   * is no line item of that parent, or in a list that is not sorted by creation no record.
   */
  list(table: string, page: Page): Promise<Listing | undefined>;
  /** The newest id of a table; of one that was renamed, also the newest with each former name. */
  newest(table: string): Promise<readonly string[]>;
  /** Resolves when the write is durable. */
  write(write: Write, origin?: Origin): Promise<WriteResult>;
  /** Executes the read of a feature. */
  ask<Args extends readonly unknown[], T>(read: Read<Args, T>, ...args: Args): Promise<T>;
}

/** A statement in the syntax of the engine. */
export type StatementOf = (dialect: QueryDialect) => Statement;

export interface StoreMetrics {
  /** Writes that wait to be executed. */
  readonly queuedWrites: number;
  /** The duration of each commit, in seconds: on SQLite mostly its fsync, on PostgreSQL the whole write. */
  readonly commits: Histogram;
  /** The number of writes in each group; on PostgreSQL there are no groups. */
  readonly groups: Histogram;
  readonly cacheHits?: number;
  readonly cacheMisses?: number;
  /** Reads that a replica has answered, and those that failed there and went to the primary. */
  readonly replicaReads?: number;
  readonly replicaFailures?: number;
  /** Open connections to a database server. */
  readonly connections?: number;
}

export interface StoreContents {
  /** The size of the database. */
  readonly bytes: number;
  /** The number of rows of each table of records, of all organizations. Line items are counted for each parent, and their sum would take long. */
  readonly rows: ReadonlyMap<string, number>;
}

/** Writes, for `StoreMetrics.groups`. */
export const groupLimits = [1, 2, 5, 10, 20, 50, 100, 200, 500];

/** The JSON of a record, as a string or in UTF-8. */
export type Json = string | Buffer;

export interface StoredRecord {
  readonly json: Json;
  /** Each write that changes the record raises it. */
  readonly version: number;
}
