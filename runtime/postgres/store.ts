import { unavailable } from '../model/errors.ts';
import { maxWorkDuration, mayBeLarge } from '../model/limits.ts';
import { Histogram } from '../observability/histogram.ts';
import { durationLimits } from '../observability/limits.ts';
import type { Value } from '../model/fields.ts';
import type { Table } from '../model/table.ts';
import type { TableSql } from '../sql/table-sql.ts';
import { Dml } from '../sql/dml.ts';
import { selectAnswer, storedAnswer } from '../sql/answers.ts';
import { findUnnumbered, numberEvents, readEvents } from '../sql/events.ts';
import { readAllCounters } from '../sql/row-counters.ts';
import { selectKeys, storedKeyOf, updateUses } from '../sql/key-table.ts';
import type {
  EventPage,
  EventQuery,
  KeyTable,
  Records,
  Store,
  StoreContents,
  StoredRecord,
  StoreMetrics,
} from '../records/store.ts';
import type { Listing, Page } from '../records/page.ts';
import { type OrganizationWrite, unknownOrigin, type WriteResult } from '../records/write.ts';
import { isLong } from '../sql/writes.ts';
import type { ConnectionOptions } from './connection-options.ts';
import type { Connection, ReadStatement, Row } from './connection.ts';
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
import { readPage, readRecord, SnapshotTotals, type Source } from './page-reader.ts';
import { Nodes, type Pools } from './nodes.ts';
import type { PoolKind, ReadKind, Work } from './pool.ts';
import { type Reader, Replica, writtenPosition } from './replica.ts';
import { runSteps, runWrite } from './run-write.ts';
import { inTime, randomPause } from '../model/wait.ts';
import { maxAttempts } from '../records/limits.ts';

/** The records that work is about, and the key that it is for. */
type About = Pick<Work<unknown>, 'table' | 'organization' | 'owner'>;

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
  readonly #nodes: Nodes;
  readonly #maxDuration: number;
  readonly #replica: Replica | undefined;
  readonly #dml: Dml;
  /** The same, but that a clash is no error: the transaction goes on, and finds the other record. */
  readonly #carefulDml: Dml;
  readonly #guard: SchemaState;
  readonly #totals: SnapshotTotals;
  /** Tables for which a quick read did not get its lock, until a slow one does. */
  readonly #locked = new Set<string>();
  /** Work that is about no records, and for no key. */
  readonly #ownWork: About = { table: '', owner: this };

  readonly keys: KeyTable = {
    find: async (ids) => (await this.#nodes.ask(selectKeys(postgresDialect, ids))).map(storedKeyOf),
    noteUses: async (uses) => {
      await this.#run('slow', { ...reading([updateUses(postgresDialect, uses)], this.#ownWork), isWrite: true });
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
    this.#carefulDml = new Dml(tables, { ...postgresDialect, skipsClashes: true });
    this.#guard = guard;
    this.#maxDuration = maxDuration;
    this.#nodes = new Nodes(options, maxDuration, async (pools, statement) => {
      const [rows = []] = await this.#run('quick', reading([statement], this.#ownWork), '', pools);
      return rows;
    });
    // Asked where writes are sent.
    const askPrimary = (): Promise<Row[]> => this.#ask(writtenPosition, 'writes');
    this.#replica = readOptions && new Replica(readOptions, askPrimary);
    this.#totals = new SnapshotTotals(readOptions === undefined);
  }

  /** Opens a connection for reads, and one for writes: others may take all that the server has later. */
  async open(): Promise<void> {
    await this.#nodes.home.quick.open();
    await this.#nodes.home.writes.open();
  }

  of(organization: number): Records {
    const of = (table: string): TableSql => this.#dml.of(table, organization);
    // This organization may have written before.
    let writtenAt = performance.now();
    const owner = {};
    const reader = (isCurrent = false): Reader => ({ owner, writtenAt: isCurrent ? Infinity : writtenAt });
    return {
      tables: this.#dml.tables,
      get: (table, id, isCurrent) => this.#get(of(table), id, reader(isCurrent)),
      show: async (table, id, projection) =>
        isStorable(id) ? readRecord(this.#source(of(table), reader()), of(table), id, projection) : undefined,
      only: async (table, isCurrent) => {
        const [row] = await this.#read(of(table), of(table).only(), reader(isCurrent));
        if (!row) throw unavailable('These settings are not there yet: a start adds them. Try again.');
        return recordOf(of(table), row);
      },
      list: (table, page) => this.#list(of(table), page, reader()),
      newest: async (table) => {
        const rows = await this.#read(of(table), of(table).newest(), reader(true));
        return rows.flatMap(([id]) => id ?? []);
      },
      // Also of a write whose outcome is unknown.
      write: (write, origin = unknownOrigin()) =>
        this.#write({ ...write, organization, origin }, owner).finally(() => (writtenAt = performance.now())),
      answer: async (once, time, maxBytes) => {
        const statement = selectAnswer(postgresDialect, organization, once, time, maxBytes);
        const [row] = await this.#ask(statement, 'quick', { ...this.#ownWork, organization });
        return row && storedAnswer(row);
      },
      events: (query) => this.#events(organization, query, owner),
    };
  }

  async #get(sql: TableSql, id: string, reader: Reader): Promise<StoredRecord | undefined> {
    if (!isStorable(id)) return undefined;
    const [row] = await this.#read(sql, sql.get(id), reader, mayBeLarge(sql.table) ? 'slow' : 'quick');
    return row && recordOf(sql, row);
  }

  /** Asks the primary, where events are numbered. */
  async #events(organization: number, query: EventQuery, owner: object): Promise<EventPage> {
    const about = { table: '', organization, owner };
    if (!Object.values(query).flat().every(isStorable)) return { events: [], hasMore: false, last: query.after ?? 0 };
    const number = (connection: Connection): Promise<boolean> =>
      this.#attempt(connection, runSteps(connection, numberEvents(postgresDialect, organization)));
    const unnumbered = await this.#ask(findUnnumbered(postgresDialect, organization), 'slow', about);
    // All of them: the last page is that of the newest events.
    for (let isMore = unnumbered.length > 0; isMore;) {
      isMore = await this.#run('slow', { ...about, since: performance.now(), isWrite: true, run: number });
    }
    const read = (connection: Connection): Promise<EventPage> =>
      runSteps(connection, readEvents(postgresDialect, organization, query));
    return this.#run('slow', { ...about, since: performance.now(), isWrite: false, run: read });
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
    const list = (): Promise<Listing | undefined> => readPage(this.#source(sql, reader), sql, storable);
    const listing = await list();
    if (listing || !this.#replica) return listing;
    // The replica may not have the cursor yet.
    reader.writtenAt = Infinity;
    return list();
  }

  async #write(write: OrganizationWrite, owner: object): Promise<WriteResult> {
    const table = lockable(this.#dml.of(write.table, write.organization).table);
    // The first attempt of a single insert is one round, whether it may clash or not.
    let dml = write.op === 'batch' ? this.#carefulDml : this.#dml;
    const run = (connection: Connection): Promise<WriteResult> => {
      const attempt = this.#attempt(connection, runWrite(connection, dml, write));
      dml = this.#carefulDml;
      return attempt;
    };
    const { organization, origin } = write;
    const latest = (origin.deadline ?? Infinity) - this.#maxDuration;
    const work = { table, organization, owner, since: Math.min(performance.now(), latest), isWrite: true, run };
    return this.#run(isLong(this.#dml, write) ? 'slow' : 'writes', work);
  }

  async check(): Promise<void> {
    const rows = await inTime(this.#nodes.ask({ text: 'select 1', values: [] }));
    if (!rows) throw unavailable('The database does not answer. Try again.');
  }

  metrics(): StoreMetrics {
    const pools = [...this.#nodes.pools, ...(this.#replica ? [this.#replica] : [])];
    return {
      queuedWrites: this.#nodes.all.reduce((sum, { writes }) => sum + writes.waiting, 0),
      commits: this.#commits,
      groups: this.#groups,
      replicaReads: this.#replica?.reads ?? 0,
      replicaFailures: this.#replica?.failures ?? 0,
      connections: pools.reduce((sum, pool) => sum + pool.size, 0),
    };
  }

  async contents(): Promise<StoreContents> {
    // Databases with the protocol of PostgreSQL need not have this function.
    const ask = (statement: ReadStatement) => this.#ask(statement, 'slow');
    const size = ask({ text: 'select pg_database_size(current_database())', values: [] }).catch((): Row[] => []);
    const rows = await ask(readAllCounters(this.#dml.tables));
    const [[bytes] = []] = await size;
    return { bytes: Number(bytes ?? 0), rows: new Map(rows.map(([table, count]) => [String(table), Number(count)])) };
  }

  async close(): Promise<void> {
    await Promise.all([this.#nodes.close(), this.#replica?.close()]);
  }

  /** The source of the records of a page, or of one record. */
  #source(sql: TableSql, reader: Reader): Source {
    return {
      query: (statement, kind) => this.#read(sql, statement, reader, kind),
      readAll: (statements, kind) => this.#readAll(sql, statements, reader, kind),
      dml: this.#dml,
      totals: this.#totals,
    };
  }

  async #read(sql: TableSql, statement: ReadStatement, reader: Reader, kind: ReadKind = 'quick'): Promise<Row[]> {
    const [rows] = await this.#readAll(sql, [statement], reader, kind);
    return rows as Row[];
  }

  /** Queries a replica, if there is one that can answer, or the primary, as do the statements of the request that follow. */
  async #readAll(
    { table, organization }: TableSql,
    statements: readonly ReadStatement[],
    reader: Reader,
    kind: ReadKind,
  ): Promise<Row[][]> {
    const query = reading(statements, { table: lockable(table), organization, owner: reader.owner });
    const rows = this.#replica && this.#guard.isReady ? await this.#replica.read(kind, query, reader) : undefined;
    if (rows) return rows;
    reader.writtenAt = performance.now();
    return this.#run(kind, query, table.name);
  }

  async #ask(statement: ReadStatement, kind: PoolKind = 'quick', about = this.#ownWork): Promise<Row[]> {
    const [rows] = await this.#run(kind, reading([statement], about));
    return rows as Row[];
  }

  /**
   * Runs work on a connection of the pool; again, after a pause that grows, while it may succeed. A quick read that does not get
   * its lock is repeated as slow work, as those behind it would wait as well.
   *
   * @param node undefined for that of the organization
   */
  async #run<T>(kind: PoolKind, work: Work<T>, table = work.table, node?: Pools): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const isQuick = kind === 'quick' && !this.#locked.has(table);
      const found = node ?? this.#nodes.of(work.organization);
      const pools = found instanceof Promise ? await found : found;
      const pool = pools[kind === 'quick' && !isQuick ? 'slow' : kind];
      try {
        if (!this.#guard.isReady) await this.#guard.ready();
        const result = await pool.use(work);
        if (!isQuick) this.#locked.delete(table);
        return result;
      } catch (error) {
        const isOver = performance.now() - work.since > this.#maxDuration;
        if (isQuick && isLockTimeout(error)) this.#locked.add(table);
        else if (!isOver && attempt < maxAttempts && mayRepeat(error, work.isWrite, attempt)) {
          await randomPause(2 ** (attempt - 1));
        } else {
          if (isSchemaOutdated(error)) this.#guard.invalidate();
          throw asUnavailable(error);
        }
      }
    }
  }

  async #attempt<T>(connection: Connection, write: Promise<T>): Promise<T> {
    const before = performance.now();
    try {
      const result = await write;
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
        for (const { writes, slow } of this.#nodes.all) for (const pool of [writes, slow]) pool.destroyIdle();
      } else {
        // A transaction may be open.
        await connection.query('rollback').catch(() => connection.destroy());
      }
      throw error;
    }
  }
}

/** Whether work that failed may succeed now. A read may have been executed, a write certainly was not. */
function mayRepeat(error: unknown, isWrite: boolean, attempt: number): boolean {
  if (isConflict(error) || isConnectInterrupted(error)) return true;
  return isWrite ? isReadOnly(error) && attempt === 1 : isOutcomeUnknown(error);
}

const recordOf = ({ table, dialect }: TableSql, row: Row): StoredRecord => ({
  json: dialect.returnedJson(table, row),
  version: Number(row.at(-1)),
});

const reading = (statements: readonly ReadStatement[], about: About): Work<Row[][]> => ({
  ...about,
  since: performance.now(),
  isWrite: false,
  run: (connection) => connection.readAll(statements),
});

/** Writes lock the parent as well. */
const lockable = ({ name, parent }: Pick<Table, 'name' | 'parent'>): string => parent?.table ?? name;

/** PostgreSQL cannot store U+0000: no id or parent contains it. */
const isStorable = (value: Value): boolean => typeof value !== 'string' || !value.includes('\0');
