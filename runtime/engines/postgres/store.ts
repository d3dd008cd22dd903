import { unavailable } from '../../kernel/model/errors.ts';
import { maxWorkDuration, mayBeLarge } from '../../kernel/model/limits.ts';
import { Histogram } from '../../observability/histogram.ts';
import { durationLimits } from '../../observability/limits.ts';
import type { Value } from '../../kernel/model/fields.ts';
import type { Features } from '../../kernel/feature.ts';
import type { Table } from '../../kernel/model/table.ts';
import type { TableSql } from '../../kernel/sql/table-sql.ts';
import { Dml } from '../../kernel/sql/dml.ts';
import { readAllCounters } from '../../kernel/sql/row-counters.ts';
import { follow } from '../../kernel/sql/steps.ts';
import type { Rows, Statement } from '../../kernel/sql/types.ts';
import type {
  Records,
  StatementOf,
  Store,
  StoreContents,
  StoredRecord,
  StoreMetrics,
} from '../../kernel/records/store.ts';
import type { Listing, Page } from '../../kernel/records/page.ts';
import { type OrganizationWrite, unknownOrigin, type WriteResult } from '../../kernel/records/write.ts';
import { isLong } from '../../kernel/sql/writes.ts';
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
import { readPage, readRecords, SnapshotTotals, type Source } from './page-reader.ts';
import type { PoolKind, ReadKind, Work } from './pool.ts';
import { type Home, type Pools, Servers } from './servers.ts';
import { inOneRound, runSteps, runWrite } from './run-write.ts';
import { inTime, randomPause } from '../../kernel/model/wait.ts';
import { maxAttempts } from '../../kernel/records/limits.ts';

/** The records that work is about, and the key that it is for. */
type About = Pick<Work<unknown>, 'table' | 'organization' | 'owner'>;

/** A request that reads. */
interface Reader {
  /** Its key. */
  readonly owner: object;
  /** Whether only the server of `DATABASE_URL` is asked. */
  isCurrent: boolean;
}

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
  readonly #servers: Servers;
  readonly #maxDuration: number;
  readonly #dml: Dml;
  /** Its inserts skip a clash, which is no error: the transaction goes on, and finds the other record. */
  readonly #carefulDml: Dml;
  readonly #guard: SchemaState;
  readonly #totals = new SnapshotTotals();
  /** Tables for which a quick read did not get its lock, until a slow one does. */
  readonly #locked = new Set<string>();
  /** Work that is about no records, and for no key. */
  readonly #ownWork: About = { table: '', owner: this };

  readonly #commits = new Histogram(durationLimits);
  readonly #groups = new Histogram([]);

  /** @param maxDuration milliseconds after which a request is given up */
  constructor(
    features: Features,
    options: ConnectionOptions,
    tables: readonly Table[],
    guard: SchemaState,
    maxDuration = maxWorkDuration,
  ) {
    this.#dml = new Dml(tables, postgresDialect, features.list);
    this.#carefulDml = new Dml(tables, { ...postgresDialect, skipsClashes: true }, features.list);
    this.#guard = guard;
    this.#maxDuration = maxDuration;
    this.#servers = new Servers(options, maxDuration);
  }

  /** Opens the first connections, and finds the servers that features know. */
  async open(features: Features, home: Pick<Home, 'options' | 'service' | 'settings'>): Promise<void> {
    await this.#servers.open(features, { ...home, ask: (...asked) => this.#ask(...asked) });
    // A snapshot of a replica does not name the transactions that are in progress.
    this.#totals.isSupported = !this.#servers.replica;
  }

  of(organization: number): Records {
    const of = (table: string): TableSql => this.#dml.of(table, organization);
    const owner = {};
    // This organization may have written before.
    this.#servers.replica?.noteWrite?.(owner);
    const reader = (isCurrent = false): Reader => ({ owner, isCurrent });
    return {
      tables: this.#dml.tables,
      get: (table, id, isCurrent) => this.#get(of(table), id, reader(isCurrent)),
      show: async (table, ids, projection) =>
        readRecords(this.#source(of(table), reader()), of(table), ids.filter(isStorable), projection),
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
        this.#write({ ...write, organization, origin }, owner).finally(() => this.#servers.replica?.noteWrite?.(owner)),
      ask: ({ steps, isQuick, isOfReplicas }, ...args) => {
        const asker = reader(!isOfReplicas);
        return follow(steps(this.#dml, organization, ...args), ({ statements, isChange }) => {
          const work = readingOf(statements, { table: '', organization, owner });
          if (!isChange) return this.#readFor(asker, isQuick ? 'quick' : 'slow', work);
          const run = (connection: Connection): Promise<Rows> =>
            this.#attempt(connection, runSteps(connection, inOneRound(statements)));
          return this.#run('slow', { ...work, isWrite: true, run });
        });
      },
    };
  }

  /** Asks what each node knows. */
  rows(statement: StatementOf): Promise<Row[]> {
    return this.#askAny(statement(postgresDialect));
  }

  async execute(statement: StatementOf): Promise<void> {
    await this.#run('slow', { ...readingOf([statement(postgresDialect)], this.#ownWork), isWrite: true });
  }

  async #get(sql: TableSql, id: string, reader: Reader): Promise<StoredRecord | undefined> {
    if (!isStorable(id)) return undefined;
    const [row] = await this.#read(sql, sql.get(id), reader, mayBeLarge(sql.table) ? 'slow' : 'quick');
    return row && recordOf(sql, row);
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
    if (listing || reader.isCurrent) return listing;
    // The replica may not have the cursor yet.
    reader.isCurrent = true;
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
    const rows = await inTime(this.#askAny({ text: 'select 1', values: [] }));
    if (!rows) throw unavailable('The database does not answer. Try again.');
  }

  metrics(): StoreMetrics {
    return { ...this.#servers.metrics(), commits: this.#commits, groups: this.#groups };
  }

  async contents(): Promise<StoreContents> {
    // Databases with the protocol of PostgreSQL need not have this function.
    const ask = (statement: Statement) => this.#ask(statement, 'slow');
    const size = ask({ text: 'select pg_database_size(current_database())', values: [] }).catch((): Row[] => []);
    const rows = await ask(readAllCounters(this.#dml.tables));
    const [[bytes] = []] = await size;
    return { bytes: Number(bytes ?? 0), rows: new Map(rows.map(([table, count]) => [String(table), Number(count)])) };
  }

  async close(): Promise<void> {
    await this.#servers.close();
  }

  /** The source of the records of a page, or of one record. */
  #source(sql: TableSql, reader: Reader): Source {
    return {
      query: (statement, kind) => this.#read(sql, statement, reader, kind),
      readAll: (statements, kind) => this.#readAll(sql, statements, reader, kind),
      current: () => (reader.isCurrent ? undefined : this.#source(sql, { ...reader, isCurrent: true })),
      dml: this.#dml,
      totals: this.#totals,
    };
  }

  async #read(sql: TableSql, statement: Statement, reader: Reader, kind: ReadKind = 'quick'): Promise<Row[]> {
    const [rows] = await this.#readAll(sql, [statement], reader, kind);
    return rows as Row[];
  }

  async #readAll(
    { table, organization }: TableSql,
    statements: readonly Statement[],
    reader: Reader,
    kind: ReadKind,
  ): Promise<Row[][]> {
    const query = readingOf(statements, { table: lockable(table), organization, owner: reader.owner });
    return this.#readFor(reader, kind, query, table.name);
  }

  /** Queries a replica, if there is one that can answer, or the primary, as do the statements of the request that follow. */
  async #readFor(reader: Reader, kind: ReadKind, query: Work<Row[][]>, table?: string): Promise<Row[][]> {
    const reading = reader.isCurrent || !this.#guard.isReady ? undefined : this.#servers.replica?.read?.(kind, query);
    const rows = reading && (await reading);
    if (rows) return rows;
    reader.isCurrent = true;
    return this.#run(kind, query, table);
  }

  /** Asks any server that answers. */
  #askAny(statement: Statement): Promise<Row[]> {
    return this.#servers.nodes?.ask?.(statement) ?? this.#ask(statement);
  }

  async #ask(statement: Statement, kind: PoolKind = 'quick', pools?: Pools): Promise<Row[]> {
    const [rows] = await this.#run(kind, readingOf([statement], this.#ownWork), '', pools);
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
      const serverPools = node ?? this.#servers.of(work.organization);
      const pools = serverPools instanceof Promise ? await serverPools : serverPools;
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
        for (const { writes, slow } of this.#servers.pools) for (const pool of [writes, slow]) pool?.destroyIdle();
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

const readingOf = (statements: readonly Statement[], about: About): Work<Row[][]> => ({
  ...about,
  since: performance.now(),
  isWrite: false,
  run: (connection) => connection.readAll(statements),
});

/** Writes lock the parent as well. */
const lockable = ({ name, parent }: Pick<Table, 'name' | 'parent'>): string => parent?.table ?? name;

/** PostgreSQL cannot store U+0000: no id or parent contains it. */
const isStorable = (value: Value): boolean => typeof value !== 'string' || !value.includes('\0');
