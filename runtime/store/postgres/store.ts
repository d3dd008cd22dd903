import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../../errors.ts';
import { maxWorkDuration } from '../../limits.ts';
import { durationLimits, Histogram } from '../../observe/histogram.ts';
import type { Value } from '../../schema/fields.ts';
import type { Table } from '../../schema/table.ts';
import { Dml, type Statement, type TableSql } from '../dml.ts';
import type {
  Listing,
  OrganizationWrite,
  Page,
  Records,
  Store,
  StoreContents,
  StoreMetrics,
  WriteResult,
} from '../store.ts';
import { isLong } from '../writes.ts';
import type { ConnectionOptions } from './connection-options.ts';
import type { Connection, Row } from './connection.ts';
import { postgresDialect } from './dialect.ts';
import {
  asUnavailable,
  isConflict,
  isConnectInterrupted,
  isLockTimeout,
  isOutcomeUnknown,
  isReadOnly,
  isSchemaOutdated,
} from './failure.ts';
import { type Query, type QueryOptions, readPage, readRecord } from './page-reader.ts';
import { ConnectionPool } from './pool.ts';
import { runWrite } from './run-write.ts';
import { StatementNames } from './statement-names.ts';

/** Concurrent reads on one connection. */
const pipelineDepth = 64;

/** Milliseconds that a quick read waits for a lock: those behind it on its connection wait as well. */
const quickLockTimeout = 100;

/** Callers of one table that may wait for a connection: of quick work, and of work that takes some milliseconds each. */
const maxWaiting = 10_000;
const maxWaitingSlow = 1_000;

/** Milliseconds after which `check` fails, and a bit later its connection is given up. */
const checkTimeout = 1_500;
const checkDuration = 1_750;

/** Attempts of a read whose connection is lost: all open connections may be lost. */
const readAttempts = 8;

/** Attempts of a write that conflicts with others. */
const writeAttempts = 10;

type Pools = Readonly<Record<'quick' | 'slow' | 'writes' | 'check', ConnectionPool>>;

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
 * Quick reads are pipelined over a few connections, which halves their CPU time. Writes have a connection pool of their own, and
 * so has what is slow: large and deep pages, long writes, and reads of locked tables.
 */
export class PostgresStore implements Store {
  readonly #names = new StatementNames();
  readonly #pools: Pools;
  readonly #dml: Dml;
  readonly #guard: SchemaState;
  /** Tables for which a quick read did not get its lock, until a slow one does. */
  readonly #locked = new Set<string>();
  #check: Promise<void> | undefined;

  readonly #commits = new Histogram(durationLimits);
  readonly #batches = new Histogram([]);

  /** @param maxDuration milliseconds after which a request is given up */
  constructor(options: ConnectionOptions, tables: readonly Table[], guard: SchemaState, maxDuration = maxWorkDuration) {
    this.#dml = new Dml(tables, postgresDialect);
    this.#guard = guard;
    const [quick, slow] = [4, 5].map((part) => Math.max(1, Math.floor(options.poolSize / part))) as [number, number];
    const settings = { pipelineDepth: 1, maxWaiting, maxDuration };
    const timeouts = { lock_timeout: quickLockTimeout };
    this.#pools = {
      quick: new ConnectionPool(options, { ...settings, size: quick, pipelineDepth, timeouts }),
      slow: new ConnectionPool(options, { ...settings, size: slow, maxWaiting: maxWaitingSlow }),
      writes: new ConnectionPool(options, { ...settings, size: options.poolSize - quick - slow }),
      check: new ConnectionPool(options, { ...settings, size: 1, maxDuration: checkDuration }),
    };
  }

  of(organization: number): Records {
    const of = (table: string): TableSql => this.#dml.of(table, organization);
    return {
      get: (table, id) => this.#get(of(table), id),
      show: async (table, id, view) =>
        isStorable(id) ? readRecord(this.#queryOf(of(table)), this.#dml, of(table), id, view) : undefined,
      only: async (table) => {
        const [row] = await this.#query(of(table), of(table).only());
        return row?.[0] as string;
      },
      list: (table, page) => this.#list(of(table), page),
      newest: async (table) => (await this.#query(of(table), of(table).newest())).flatMap(([id]) => id ?? []),
      write: (write) => this.#write({ ...write, organization }),
    };
  }

  async #get(sql: TableSql, id: string): Promise<string | undefined> {
    if (!isStorable(id)) return undefined;
    const [row] = await this.#query(sql, sql.get(id));
    return row?.[0] ?? undefined;
  }

  async #list(sql: TableSql, page: Page): Promise<Listing | undefined> {
    const { where = {}, after = '' } = page;
    const needsRecord = after !== '' && sql.table.parent !== undefined;
    if (!Object.values(where).every(isStorable)) {
      return needsRecord ? undefined : { total: 0, hasMore: false, items: '' };
    }
    if (needsRecord && !isStorable(after)) return undefined;
    // The ids after this cursor are those after its beginning.
    const storable = isStorable(after) ? page : { ...page, after: after.slice(0, after.indexOf('\0')) };
    return readPage(this.#queryOf(sql), this.#dml, sql, storable);
  }

  async #write(write: OrganizationWrite): Promise<WriteResult> {
    if ('id' in write && !isStorable(write.id)) return { outcome: 'not_found', id: write.id };
    const pool = isLong(this.#dml, write) ? 'slow' : 'writes';
    const work = (connection: Connection): Promise<WriteResult> => this.#attempt(connection, write);
    return this.#run(pool, this.#dml.of(write.table, write.organization).table, work, writing);
  }

  async check(): Promise<void> {
    // Of many at once, the first one asks for all.
    this.#check ??= this.#askWithin(checkTimeout).finally(() => (this.#check = undefined));
    return this.#check;
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
    const ask = ({ text }: Pick<Statement, 'text'>): Promise<Row[]> =>
      this.#run('slow', { name: '' }, (connection) => connection.query({ text }), reading);
    const size = ask({ text: 'select pg_database_size(current_database())' }).catch((): Row[] => []);
    const rows = await ask(this.#dml.rowCounts());
    const [[bytes] = []] = await size;
    return { bytes: Number(bytes ?? 0), rows: new Map(rows.map(([table, count]) => [String(table), Number(count)])) };
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#pools).map((pool) => pool.close()));
  }

  #queryOf(sql: TableSql): Query {
    return (statement, options) => this.#query(sql, statement, options);
  }

  #query(
    sql: TableSql,
    { text, values }: Statement,
    { isSlow = false, isBytes = false }: QueryOptions = {},
  ): Promise<Row[]> {
    const query = { text, name: this.#names.of(text), isBytes };
    return this.#run(isSlow ? 'slow' : 'quick', sql.table, (connection) => connection.query(query, values), reading);
  }

  /** Runs `work` on a connection of the pool; again, after a pause that grows, while `mayRepeat` and the time limit allow it. */
  async #run<T>(
    kind: keyof Pools,
    table: Pick<Table, 'name' | 'parent'>,
    work: (connection: Connection) => Promise<T>,
    { mayRepeat, consequence }: WorkType,
  ): Promise<T> {
    const since = performance.now();
    // Writes lock the parent as well.
    const lockable = table.parent?.table ?? table.name;
    for (let attempt = 1; ; attempt++) {
      const isQuick = kind === 'quick' && !this.#locked.has(table.name);
      const pool = kind === 'quick' && !isQuick ? this.#pools.slow : this.#pools[kind];
      try {
        if (!this.#guard.isReady) await this.#guard.ready();
        const result = await pool.use(lockable, since, work, consequence);
        if (pool === this.#pools.slow) this.#locked.delete(table.name);
        return result;
      } catch (error) {
        if (isQuick && isLockTimeout(error)) {
          this.#locked.add(table.name);
          continue;
        }
        if (pool.isOver(since) || !mayRepeat(error, attempt)) {
          if (isSchemaOutdated(error)) this.#guard.doubt();
          throw asUnavailable(error);
        }
        await pause(Math.random() * 2 ** attempt);
      }
    }
  }

  async #askWithin(milliseconds: number): Promise<void> {
    const limit = pause(milliseconds, undefined, { ref: false }).then(() => {
      throw unavailable('The database does not answer. Try again.');
    });
    const ask = (connection: Connection): Promise<unknown> => connection.query({ text: 'select 1' });
    await Promise.race([this.#run('check', { name: '' }, ask, reading), limit]);
  }

  async #attempt(connection: Connection, write: OrganizationWrite): Promise<WriteResult> {
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
        for (const pool of [this.#pools.writes, this.#pools.slow]) pool.destroyIdle();
      } else {
        // A transaction may be open.
        await connection.query({ text: 'rollback' }).catch(() => connection.destroy());
      }
      throw error;
    }
  }
}

/** What is done when work fails. */
interface WorkType {
  /** Whether it may succeed now. */
  readonly mayRepeat: (error: unknown, attempt: number) => boolean;
  /** What the message says if it was not begun. */
  readonly consequence: string;
}

/** A read changes nothing, and so may have been executed. It may be the answer to a write, of which nothing is said. */
const reading: WorkType = {
  mayRepeat: (error, attempt) =>
    attempt < readAttempts && (isOutcomeUnknown(error) || isConnectInterrupted(error) || isConflict(error)),
  consequence: '',
};

/** A write is repeated if it was certainly not executed. */
const writing: WorkType = {
  mayRepeat: (error, attempt) =>
    (isConflict(error) && attempt < writeAttempts) ||
    (isConnectInterrupted(error) && attempt < readAttempts) ||
    (isReadOnly(error) && attempt === 1),
  consequence: ': nothing was done',
};

/** PostgreSQL cannot store U+0000: no id or parent contains it. */
const isStorable = (value: Value): boolean => typeof value !== 'string' || !value.includes('\0');
