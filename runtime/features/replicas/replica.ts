import { ApiError } from '../../kernel/model/errors.ts';
import { log } from '../../observability/log.ts';
import type { Connection, Row } from '../../engines/postgres/connection.ts';
import { isOutcomeUnknown, sqlState } from '../../engines/postgres/failure.ts';
import { ConnectionPool, type ReadKind, type Work } from '../../engines/postgres/pool.ts';
import type { Home, OtherServers } from '../../engines/postgres/servers.ts';
import type { StoreMetrics } from '../../kernel/records/store.ts';
import type { ConnectionOptions } from '../../engines/postgres/connection-options.ts';
import { checkInterval } from '../../kernel/model/limits.ts';
import { answerTimeout, lockTimeout, statementTimeout } from '../../engines/postgres/limits.ts';

/** Bytes of the write-ahead log, from its beginning to a position. */
const bytesTo = (position: string): string => `select pg_wal_lsn_diff(${position}, '0/0')`;

/** The position behind every write that was acknowledged so far, also where `synchronous_commit` is off. */
const writtenPosition = { text: bytesTo('pg_current_wal_insert_lsn()'), values: [] };

/** No row on a server that was promoted: it is no replica. */
const replayedPosition = `${bytesTo('pg_last_wal_replay_lsn()')} where pg_is_in_recovery()`;

/** The progress of the server of a connection: it has replayed all writes before `until`, as it said at `askedAt`. */
interface Progress {
  readonly askedAt: number;
  readonly until: number;
}

const unknown: Progress = { askedAt: -Infinity, until: -Infinity };

/**
 * The standbys of a primary, which take the reads of keys that have not written for 5 seconds, as long as they are no further
 * behind than that. Times are those of this process (`performance.now()`): once a second it asks the primary for its position in the
 * write-ahead log, and the server of each connection, of which there may be several, for the position that it has replayed. No read
 * waits for that.
 */
export class Replica implements OtherServers {
  readonly pools: readonly [Readonly<Record<ReadKind, ConnectionPool>>];
  /** Reads that were answered, and those that failed here and went to the primary. */
  #reads = 0;
  #failures = 0;
  readonly #hostNames: string;
  readonly #home: Home;
  /** When keys have last written, or may have. */
  readonly #writtenAt = new WeakMap<object, number>();
  /** Positions of the primary in the last seconds: everything that was written before `at` is before them. */
  #marks: { readonly at: number; readonly position: number }[] = [];
  readonly #progress = new WeakMap<Connection, Progress>();
  #askedAt = -Infinity;
  /** Why nothing is read here; empty while something is, undefined until that is known. */
  #reason: string | undefined;

  constructor(home: Home, options: ConnectionOptions) {
    const quick = new ConnectionPool(options, 'quick', answerTimeout);
    this.pools = [{ quick, slow: new ConnectionPool(options, 'slow', statementTimeout) }];
    this.#hostNames = options.hostNames;
    this.#home = home;
  }

  metrics(): Partial<StoreMetrics> {
    return { replicaReads: this.#reads, replicaFailures: this.#failures };
  }

  noteWrite(owner: object): void {
    this.#writtenAt.set(owner, performance.now());
  }

  async read(kind: ReadKind, query: Work<Row[][]>): Promise<Row[][] | undefined> {
    const now = performance.now();
    if (now - this.#askedAt >= checkInterval) void this.#update(now);
    if (this.#reason !== '' || now - (this.#writtenAt.get(query.owner) ?? now) < lockTimeout) return undefined;
    const run = async (connection: Connection): Promise<Row[][]> =>
      now - this.#replayedUntil(connection) < lockTimeout ? query.run(connection) : [];
    try {
      const rows = await this.pools[0][kind].use({ ...query, run });
      if (rows.every((one) => one.length === 0)) return undefined;
      this.#reads++;
      return rows;
    } catch (error) {
      this.#failures++;
      this.#noteIfLost(error as Error);
      return undefined;
    }
  }

  /** Asks the primary, and while nothing is read here, also a replica. */
  async #update(now: number): Promise<void> {
    this.#askedAt = now;
    try {
      const [row] = await this.#home.ask(writtenPosition, 'writes');
      this.#marks = this.#marks.filter(({ at }) => at > now - 2 * lockTimeout);
      this.#marks.push({ at: now, position: Number(row?.[0]) });
    } catch (error) {
      // While the primary is away, no replica falls behind: it is read until it might have.
      if (!(error instanceof ApiError)) this.#note((error as Error).message);
      return;
    }
    if (this.#reason === '') return;
    const run = (connection: Connection): Promise<void> => this.#ask(connection);
    const work = { table: '', owner: this, since: now, isWrite: false, run };
    await this.pools[0].quick.use(work).catch((error: Error) => this.#note(error.message));
  }

  /** The time before which the server of a connection has all writes; it is asked again for the reads that follow. */
  #replayedUntil(connection: Connection): number {
    const { askedAt, until } = this.#progress.get(connection) ?? unknown;
    if (performance.now() - askedAt >= checkInterval) {
      this.#ask(connection).catch((error: Error) => this.#noteIfLost(error));
    }
    return until;
  }

  async #ask(connection: Connection): Promise<void> {
    const askedAt = performance.now();
    const { until } = this.#progress.get(connection) ?? unknown;
    this.#progress.set(connection, { askedAt, until });
    const [row] = await connection.query(replayedPosition);
    if (row === undefined) {
      // A new connection may reach a standby.
      connection.destroy();
      throw new Error('The server is a standby no more.');
    }
    const replayed = Number(row[0]);
    const reached = this.#marks.filter(({ position }) => position <= replayed).map(({ at }) => at);
    this.#progress.set(connection, { askedAt, until: Math.max(until, ...reached) });
    const isLate = this.#marks.some(({ at, position }) => position > replayed && at < askedAt - lockTimeout);
    this.#note(isLate ? `It is more than ${lockTimeout / 1_000} s behind the primary.` : '');
  }

  /** Other errors are about one statement: cancelled by recovery, or about a column that is not replayed yet. */
  #noteIfLost(error: Error): void {
    if (sqlState(error) === undefined || isOutcomeUnknown(error)) this.#note(error.message);
  }

  /** Logs that reads go elsewhere, and that they come back. */
  #note(reason: string): void {
    const before = this.#reason;
    this.#reason = reason;
    if (reason !== '' && !before) {
      log.warn(`The replica at ${this.#hostNames} is not read, reads go to the primary: ${reason}`);
    } else if (reason === '' && before) {
      log.warn(`The replica at ${this.#hostNames} is read again.`);
    }
  }
}
