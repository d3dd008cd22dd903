import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../model/errors.ts';
import { maxWorkDuration } from '../model/limits.ts';
import { durationLimits, Histogram } from '../observability/histogram.ts';
import type { Value } from '../model/fields.ts';
import type { Table } from '../model/table.ts';
import { Dml, type Statement, type TableSql } from '../sql/table-sql.ts';
import { keyOf, selectKeys, selectKeyVersion, updateUses } from '../sql/key-table.ts';
import {
  type KeyTable,
  type Listing,
  maxPageBytes,
  type OrganizationWrite,
  type Page,
  type Records,
  type Store,
  type StoreContents,
  type StoreMetrics,
  type WriteResult,
} from '../records/store.ts';
import { BoundedMap } from '../records/bounded-map.ts';
import { isLong } from '../sql/writes.ts';
import type { ConnectionOptions } from './connection-options.ts';
import type { Connection, Row } from './connection.ts';
import { postgresDialect, postgresKeyDialect } from './dialect.ts';
import {
  asUnavailable,
  isConflict,
  isConnectInterrupted,
  isLockTimeout,
  isOutcomeUnknown,
  isReadOnly,
  isSchemaOutdated,
} from './failure.ts';
import { readPage, readRecord, type Source } from './page-reader.ts';
import { checkTimeout, poolsOfPrimary, type PrimaryPools } from './pools.ts';
import { type Reader, Replica, writtenPosition } from './replica.ts';
import type { Query, QueryOptions } from './record-chunks.ts';
import { runWrite } from './run-write.ts';
import { SnapshotTotals } from './snapshot-totals.ts';
import { StatementNames } from './statement-names.ts';

/** Attempts of a read whose connection is lost: all open connections may be lost. */
const readAttempts = 8;

/** Attempts of a write that conflicts with others. */
const writeAttempts = 10;

/** Records whose lengths are remembered. */
const maxLong = 10_000;

/** The state of the schema that the store needs. */
interface SchemaState {
  readonly isReady: boolean;
  /** Resolves when the schema is ready. @throws ApiError `unavailable` that says what is missing */
  ready(): Promise<void>;
  /** Requests a new check: a table or column is missing. */
  invalidate(): void;
}

/**
 * A store in a PostgreSQL database, or another one with its protocol.
 *
 * Quick reads are pipelined over a few connections, which halves their CPU time. Writes have a connection pool of their own, and
 * so has what is slow: large and deep pages, long writes, and reads of locked tables.
 */
export class PostgresStore implements Store {
  readonly #names = new StatementNames();
  readonly #pools: PrimaryPools;
  readonly #replica: Replica | undefined;
  readonly #dml: Dml;
  readonly #guard: SchemaState;
  readonly #totals: SnapshotTotals;
  /** Tables for which a quick read did not get its lock, until a slow one does. */
  readonly #locked = new Set<string>();
  /**
   * By organization and id, the bytes of records that were found to be longer than a page: they are not read over the
   * connections of others again.
   */
  readonly #long = new BoundedMap<string, number>(maxLong);
  #check: Promise<void> | undefined;

  readonly keys: KeyTable = {
    version: async () => Number((await this.#ask('quick', selectKeyVersion, reading))[0]?.[0]),
    find: async (ids) => (await this.#ask('quick', selectKeys(postgresKeyDialect, ids), reading)).map(keyOf),
    noteUses: async (uses) => {
      await this.#ask('slow', updateUses(postgresKeyDialect, uses), writing);
    },
  };

  readonly #commits = new Histogram(durationLimits);
  readonly #groups = new Histogram([]);

  /**
   * @param maxDuration milliseconds after which a request is given up
   * @param readOptions how to connect to the standbys that take reads
   */
  constructor(
    options: ConnectionOptions,
    tables: readonly Table[],
    guard: SchemaState,
    maxDuration = maxWorkDuration,
    readOptions?: ConnectionOptions,
  ) {
    this.#dml = new Dml(tables, postgresDialect);
    this.#guard = guard;
    this.#pools = poolsOfPrimary(options, maxDuration);
    // Asked where writes are sent.
    const askPrimary = (): Promise<Row[]> => this.#ask('writes', { text: writtenPosition, values: [] }, reading);
    this.#replica = readOptions && new Replica(readOptions, askPrimary);
    this.#totals = new SnapshotTotals(readOptions === undefined);
  }

  /** Opens a connection for reads, and one for writes: others may take all that the server has later. */
  async open(): Promise<void> {
    await this.#pools.quick.open();
    await this.#pools.writes.open();
  }

  of(organization: number): Records {
    const of = (table: string): TableSql => this.#dml.of(table, organization);
    // This client may have written before.
    let writtenAt = performance.now();
    const client = {};
    const reader = (): Reader => ({ client, since: writtenAt });
    return {
      get: (table, id, maxBytes) => this.#get(of(table), id, reader(), maxBytes),
      show: async (table, id, view) =>
        isStorable(id) ? readRecord(this.#source(of(table), reader()), of(table), id, view) : undefined,
      only: async (table) => {
        const [row] = await this.#read(of(table), of(table).only(), reader());
        return row?.[0] as string;
      },
      list: (table, page) => this.#list(of(table), page, reader()),
      newest: async (table) => {
        const rows = await this.#query(of(table), of(table).newest(), client);
        return rows.flatMap(([id]) => id ?? []);
      },
      // Also of a write whose outcome is unknown.
      write: (write) => this.#write({ ...write, organization }, client).finally(() => (writtenAt = performance.now())),
    };
  }

  async #get(sql: TableSql, id: string, reader: Reader, maxBytes?: number): Promise<string | number | undefined> {
    if (!isStorable(id)) return undefined;
    const isShort = maxBytes !== undefined && maxBytes <= maxPageBytes;
    // Another organization may have a record of this id.
    const record = `${sql.organization} ${id}`;
    const known = isShort ? this.#long.get(record) : undefined;
    if (known !== undefined) return known;
    const statement = isShort ? sql.getWithin(id, maxBytes) : sql.get(id);
    const [row] = await this.#read(sql, statement, reader, { isSlow: maxBytes !== undefined && !isShort });
    const json = row?.[0] ?? undefined;
    const bytes = isShort && json?.startsWith('{') === false ? Number(json) : undefined;
    if (bytes !== undefined) this.#long.set(record, bytes);
    else if (maxBytes !== undefined && !isShort && (json ?? '').length <= maxPageBytes) this.#long.delete(record);
    return bytes ?? json;
  }

  async #list(sql: TableSql, page: Page, reader: Reader): Promise<Listing | undefined> {
    const { where = {}, after = '' } = page;
    const needsRecord = after !== '' && sql.table.parent !== undefined;
    if (!Object.values(where).every(isStorable)) {
      return needsRecord ? undefined : { total: 0, hasMore: false, items: '' };
    }
    if (needsRecord && !isStorable(after)) return undefined;
    // The ids after this cursor are those after its beginning.
    const storable = isStorable(after) ? page : { ...page, after: after.slice(0, after.indexOf('\0')) };
    const listSince = (since: number): Promise<Listing | undefined> =>
      readPage(this.#source(sql, { ...reader, since }), sql, storable);
    // A cursor that a replica does not have yet is asked of the primary.
    return (await listSince(reader.since)) ?? (this.#replica && listSince(Infinity));
  }

  async #write(write: OrganizationWrite, client: object): Promise<WriteResult> {
    const pool = isLong(this.#dml, write) ? 'slow' : 'writes';
    const work = (connection: Connection): Promise<WriteResult> => this.#attempt(connection, write);
    return this.#run(pool, this.#dml.of(write.table, write.organization).table, client, work, writing);
  }

  async check(): Promise<void> {
    // The first of many at once asks for all.
    this.#check ??= this.#askWithin(checkTimeout).finally(() => (this.#check = undefined));
    return this.#check;
  }

  metrics(): StoreMetrics {
    const pools = [...Object.values(this.#pools), ...(this.#replica ? [this.#replica] : [])];
    return {
      queuedWrites: this.#pools.writes.waiting,
      commits: this.#commits,
      groups: this.#groups,
      cacheHits: 0,
      cacheMisses: 0,
      replicaReads: this.#replica?.reads ?? 0,
      replicaFailures: this.#replica?.failures ?? 0,
      connections: pools.reduce((sum, pool) => sum + pool.size, 0),
    };
  }

  async contents(): Promise<StoreContents> {
    // Databases with the protocol of PostgreSQL need not have this function.
    const ask = (statement: Statement): Promise<Row[]> => this.#ask('slow', statement, reading);
    const size = ask({ text: 'select pg_database_size(current_database())', values: [] }).catch((): Row[] => []);
    const rows = await ask(this.#dml.rowCounts());
    const [[bytes] = []] = await size;
    return { bytes: Number(bytes ?? 0), rows: new Map(rows.map(([table, count]) => [String(table), Number(count)])) };
  }

  async close(): Promise<void> {
    await Promise.all([...Object.values(this.#pools), this.#replica].map((pool) => pool?.close()));
  }

  /** The source of the records of a page, or of a view. */
  #source(sql: TableSql, reader: Reader): Source {
    const freshness = { ...reader };
    const query: Query = async (statement, options) => {
      const rows = await this.#read(sql, statement, freshness, options);
      // No statement of a page misses a write that an earlier one has seen.
      freshness.since = performance.now();
      return rows;
    };
    return { query, dml: this.#dml, totals: this.#totals };
  }

  /** Queries a replica, if there is one that can answer, or the primary. */
  #read(sql: TableSql, statement: Statement, reader: Reader, options: QueryOptions = {}): Promise<Row[]> {
    const { client } = reader;
    if (!this.#replica || !this.#guard.isReady) return this.#query(sql, statement, client, options);
    const since = performance.now();
    const kind = options.isSlow ? 'slow' : 'quick';
    return this.#replica
      .read(kind, sql.table.name, reader, this.#work(statement, options))
      .then((rows) => rows ?? this.#query(sql, statement, client, options, since));
  }

  /** Queries the primary. */
  #query(
    sql: TableSql,
    statement: Statement,
    client: object,
    options: QueryOptions = {},
    since?: number,
  ): Promise<Row[]> {
    const work = this.#work(statement, options);
    return this.#run(options.isSlow ? 'slow' : 'quick', sql.table, client, work, reading, since);
  }

  #work({ text, values }: Statement, { isBytes = false }: QueryOptions): (connection: Connection) => Promise<Row[]> {
    const query = { text, name: this.#names.of(text), isBytes };
    return (connection) => connection.query(query, values);
  }

  /** Runs a statement that belongs to no table of records. */
  #ask(kind: keyof PrimaryPools, { text, values }: Statement, type: WorkType): Promise<Row[]> {
    return this.#run(kind, { name: '' }, this, (connection) => connection.query({ text }, values), type);
  }

  /** Runs `work` on a connection of the pool; again, after a pause that grows, while `mayRepeat` and the time limit allow it. */
  async #run<T>(
    kind: keyof PrimaryPools,
    table: Pick<Table, 'name' | 'parent'>,
    client: object,
    work: (connection: Connection) => Promise<T>,
    { mayRepeat, consequence }: WorkType,
    since = performance.now(),
  ): Promise<T> {
    // Writes lock the parent as well.
    const lockable = table.parent?.table ?? table.name;
    for (let attempt = 1; ; attempt++) {
      const isQuick = kind === 'quick' && !this.#locked.has(table.name);
      const pool = kind === 'quick' && !isQuick ? this.#pools.slow : this.#pools[kind];
      try {
        if (!this.#guard.isReady) await this.#guard.ready();
        const result = await pool.use(lockable, client, since, work, consequence);
        if (pool === this.#pools.slow) this.#locked.delete(table.name);
        return result;
      } catch (error) {
        if (isQuick && isLockTimeout(error)) {
          this.#locked.add(table.name);
          continue;
        }
        if (pool.isOver(since) || !mayRepeat(error, attempt)) {
          if (isSchemaOutdated(error)) this.#guard.invalidate();
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
    await Promise.race([this.#ask('quick', { text: 'select 1', values: [] }, reading), limit]);
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

/** The handling of work that fails. */
interface WorkType {
  /** Whether it may succeed now. */
  readonly mayRepeat: (error: unknown, attempt: number) => boolean;
  /** A sentence for the message if it was not begun. */
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
