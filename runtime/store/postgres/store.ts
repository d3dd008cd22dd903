import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../../errors.ts';
import { durationLimits, Histogram } from '../../observe/histogram.ts';
import type { Value } from '../../schema/fields.ts';
import type { Table } from '../../schema/table.ts';
import { Dml, type Statement } from '../dml.ts';
import type { Listing, Page, Store, StoreContents, StoreMetrics, Write, WriteResult } from '../store.ts';
import type { ConnectionOptions } from './connection-options.ts';
import type { Connection, Row } from './connection.ts';
import { postgresDialect } from './dialect.ts';
import {
  asUnavailable,
  isConflict,
  isConnectInterrupted,
  isOutcomeUnknown,
  isReadOnly,
  isSchemaOutdated,
} from './failure.ts';
import { type QueryOptions, readPage } from './page-reader.ts';
import { ConnectionPool } from './pool.ts';
import { runWrite } from './run-write.ts';
import { StatementNames } from './statement-names.ts';

/** Concurrent reads on one connection. */
const pipelineDepth = 64;

/** Attempts of a read whose connection is lost: all open connections may be lost. */
const readAttempts = 8;

/** Attempts of a write that conflicts with others. */
const writeAttempts = 10;

/** The state of the schema that the store needs. */
interface SchemaState {
  readonly isReady: boolean;
  /** Resolves when the schema is ready. @throws ApiError `unavailable` that says what is missing */
  ready(): Promise<void>;
  /** Requests a new check: a table or column is missing. */
  doubt(): void;
}

/**
 * A store in a PostgreSQL database, or another one with its protocol.
 *
 * Quick reads are pipelined over a few connections, which halves their CPU time. Writes and slow reads have connection pools
 * of their own, so that no quick read waits for them.
 */
export class PostgresStore implements Store {
  readonly #names = new StatementNames();
  readonly #pools: Readonly<Record<'quick' | 'slow' | 'writes', ConnectionPool>>;
  readonly #dml: Dml;
  readonly #guard: SchemaState;
  readonly #commits = new Histogram(durationLimits);
  readonly #batches = new Histogram([]);

  constructor(options: ConnectionOptions, tables: readonly Table[], guard: SchemaState) {
    this.#dml = new Dml(tables, postgresDialect);
    this.#guard = guard;
    const quick = Math.max(1, Math.floor(options.poolSize * 0.3));
    this.#pools = {
      quick: new ConnectionPool(options, quick, pipelineDepth),
      slow: new ConnectionPool(options, 1, 1),
      writes: new ConnectionPool(options, options.poolSize - quick - 1, 1),
    };
  }

  async get(table: string, id: string): Promise<string | undefined> {
    if (!isStorable(id)) return undefined;
    const [row] = await this.#query(this.#dml.of(table).get(id));
    return row?.[0] ?? undefined;
  }

  async only(table: string): Promise<string> {
    const [row] = await this.#query(this.#dml.of(table).only());
    return row?.[0] as string;
  }

  async list(table: string, page: Page): Promise<Listing | undefined> {
    const sql = this.#dml.of(table);
    const { where = {}, after = '' } = page;
    const needsRecord = after !== '' && sql.table.parent !== undefined;
    if (!Object.values(where).every(isStorable)) {
      return needsRecord ? undefined : { total: 0, hasMore: false, items: '' };
    }
    if (needsRecord && !isStorable(after)) return undefined;
    // The ids after this cursor are those after its beginning.
    const storable = isStorable(after) ? page : { ...page, after: after.slice(0, after.indexOf('\0')) };
    return readPage((statement, options) => this.#query(statement, options), sql, storable);
  }

  async newest(table: string): Promise<readonly string[]> {
    return (await this.#query(this.#dml.of(table).newest())).flatMap(([id]) => id ?? []);
  }

  async write(write: Write): Promise<WriteResult> {
    if ('id' in write && !isStorable(write.id)) return { outcome: 'not_found', id: write.id };
    return this.#run(this.#pools.writes, (connection) => this.#attempt(connection, write), mayRepeatWrite);
  }

  async check(): Promise<void> {
    await this.#query({ text: 'select 1', values: [] });
  }

  metrics(): StoreMetrics {
    const pools = Object.values(this.#pools);
    return {
      queuedWrites: this.#pools.writes.waiting,
      commits: this.#commits,
      batches: this.#batches,
      cacheHits: 0,
      cacheMisses: 0,
      connections: pools.reduce((sum, pool) => sum + pool.size, 0),
    };
  }

  async contents(): Promise<StoreContents> {
    // Databases with the protocol of PostgreSQL need not have this function.
    const size = this.#query({ text: 'select pg_database_size(current_database())', values: [] }).catch(() => []);
    const rows = await this.#query(this.#dml.rowCounts());
    const [[bytes] = []] = await size;
    return { bytes: Number(bytes ?? 0), rows: new Map(rows.map(([table, count]) => [String(table), Number(count)])) };
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#pools).map((pool) => pool.close()));
  }

  #query({ text, values }: Statement, { isSlow = false, isBytes = false }: QueryOptions = {}): Promise<Row[]> {
    const query = { text, name: this.#names.of(text), isBytes };
    const pool = isSlow ? this.#pools.slow : this.#pools.quick;
    return this.#run(pool, (connection) => connection.query(query, values), mayRepeatRead);
  }

  /** Runs `work` on a connection of the pool; again, after a pause that grows, while `mayRepeat` allows it. */
  async #run<T>(
    pool: ConnectionPool,
    work: (connection: Connection) => Promise<T>,
    mayRepeat: (error: unknown, attempt: number) => boolean,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        if (!this.#guard.isReady) await this.#guard.ready();
        return await pool.use(work);
      } catch (error) {
        if (!mayRepeat(error, attempt)) {
          if (isSchemaOutdated(error)) this.#guard.doubt();
          throw asUnavailable(error);
        }
        await pause(Math.random() * 2 ** attempt);
      }
    }
  }

  async #attempt(connection: Connection, write: Write): Promise<WriteResult> {
    const before = performance.now();
    try {
      const result = await runWrite(connection, this.#dml, this.#names, write);
      this.#commits.observe((performance.now() - before) / 1000);
      return result;
    } catch (error) {
      // Not repeated: the write might be executed twice.
      if (isOutcomeUnknown(error)) {
        connection.destroy();
        throw unavailable('The database did not confirm the write: it may have been done or not.', error);
      }
      if (isReadOnly(error)) {
        // New connections may reach a server that accepts writes.
        connection.destroy();
        this.#pools.writes.destroyIdle();
      } else {
        // A transaction may be open.
        await connection.query({ text: 'rollback' }).catch(() => connection.destroy());
      }
      throw error;
    }
  }
}

/** Whether a failed read may succeed now. It changes nothing, and so may have been executed. */
const mayRepeatRead = (error: unknown, attempt: number): boolean =>
  attempt < readAttempts && (isOutcomeUnknown(error) || isConnectInterrupted(error) || isConflict(error));

/** Whether a failed write was certainly not executed, and may succeed now. */
const mayRepeatWrite = (error: unknown, attempt: number): boolean =>
  (isConflict(error) && attempt < writeAttempts) ||
  (isConnectInterrupted(error) && attempt < readAttempts) ||
  (isReadOnly(error) && attempt === 1);

/** PostgreSQL cannot store U+0000: no id or parent contains it. */
const isStorable = (value: Value): boolean => typeof value !== 'string' || !value.includes('\0');
