import { ApiError } from '../model/errors.ts';
import { log } from '../observability/log.ts';
import type { ConnectionOptions } from './connection-options.ts';
import type { Connection, Row } from './connection.ts';
import { isOutcomeUnknown, sqlState } from './failure.ts';
import { poolsOfReplica, type ReplicaPools } from './pools.ts';

/** Milliseconds that a replica may be behind the primary; one that is further behind is not read. */
const maxLag = 5_000;

/** Milliseconds between two questions for the position of the primary, and for that of the server of a connection. */
const interval = 1_000;

/** Bytes of the write-ahead log, from its beginning to a position. */
const bytesTo = (position: string): string => `select pg_wal_lsn_diff(${position}, '0/0')`;

/** The position behind every write that was acknowledged so far, also where `synchronous_commit` is off. */
export const writtenPosition = bytesTo('pg_current_wal_insert_lsn()');

/** The position, and the start time, which tells servers apart. No row on a server that was promoted: it is no replica. */
const replayedPosition = `${bytesTo('pg_last_wal_replay_lsn()')}, pg_postmaster_start_time() where pg_is_in_recovery()`;

/** The progress of the server of a connection: it has replayed all writes before `until`, as it said at `askedAt`. */
interface Progress {
  readonly askedAt: number;
  readonly until: number;
  readonly server: string | undefined;
}

const nothing: Progress = { askedAt: -Infinity, until: -Infinity, server: undefined };

/** The client that reads, and the writes that the result must contain. */
export interface Reader {
  /** The client whose turn at a connection it takes. */
  readonly client: object;
  /** All that was written before this time. */
  since: number;
  /** Or all that this replica has: it has answered the query before. */
  server?: string | undefined;
}

/**
 * The standbys of a primary, which take reads as long as they have what a read must not miss. Times are those of this process
 * (`performance.now()`): once a second it asks the primary for its position in the write-ahead log, and the server of each
 * connection, of which there may be several, for the position that it has replayed. No read waits for that.
 */
export class Replica {
  /** Reads that were answered, and those that failed here and went to the primary. */
  reads = 0;
  failures = 0;
  readonly #pools: ReplicaPools;
  readonly #hostNames: string;
  readonly #askPrimary: () => Promise<Row[]>;
  /** Positions of the primary in the last seconds: everything that was written before `at` is before them. */
  #marks: { readonly at: number; readonly position: number }[] = [];
  readonly #progress = new WeakMap<Connection, Progress>();
  #askedAt = -Infinity;
  /** Why nothing is read here; empty while something is, undefined until that is known. */
  #reason: string | undefined;

  /** @param askPrimary asks the primary for `writtenPosition` */
  constructor(options: ConnectionOptions, askPrimary: () => Promise<Row[]>) {
    this.#pools = poolsOfReplica(options);
    this.#hostNames = options.hostNames;
    this.#askPrimary = askPrimary;
  }

  /** Open connections. */
  get size(): number {
    return this.#pools.quick.size + this.#pools.slow.size;
  }

  /**
   * The rows of a query; undefined if the primary has to be asked, as it also has to be for what a replica does not have yet.
   *
   * @param freshness is given the server that answers
   */
  async read(
    kind: keyof ReplicaPools,
    table: string,
    freshness: Reader,
    work: (connection: Connection) => Promise<Row[]>,
  ): Promise<Row[] | undefined> {
    const now = performance.now();
    if (now - this.#askedAt >= interval) void this.#update(now);
    const seen = freshness.server;
    freshness.server = undefined;
    const mayHave = seen !== undefined || this.#marks.some(({ at }) => at >= freshness.since);
    if (this.#reason !== '' || !mayHave) return undefined;
    try {
      const needed = Math.max(freshness.since, now - maxLag);
      let server: string | undefined;
      const rows = await this.#pools[kind].use(table, freshness.client, now, async (connection) => {
        const progress = this.#progressOf(connection);
        if (progress.until < needed && (seen === undefined || progress.server !== seen)) return [];
        server = progress.server;
        return work(connection);
      });
      if (rows.length === 0) return undefined;
      this.reads++;
      freshness.server = server;
      return rows;
    } catch (error) {
      this.failures++;
      this.#noteIfLost(error as Error);
      return undefined;
    }
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#pools).map((pool) => pool.close()));
  }

  /** Asks the primary, and while nothing is read here, also a replica. */
  async #update(now: number): Promise<void> {
    this.#askedAt = now;
    try {
      const [row] = await this.#askPrimary();
      this.#marks = this.#marks.filter(({ at }) => at > now - 2 * maxLag);
      this.#marks.push({ at: now, position: Number(row?.[0]) });
    } catch (error) {
      // While the primary is away, no replica falls behind: it is read until it might have.
      if (!(error instanceof ApiError)) this.#note((error as Error).message);
      return;
    }
    if (this.#reason === '') return;
    const ask = (connection: Connection): Promise<void> => this.#ask(connection);
    await this.#pools.quick.use('', this, now, ask).catch((error: Error) => this.#note(error.message));
  }

  /** The known progress of the server of a connection, which is asked again for the reads that follow. */
  #progressOf(connection: Connection): Progress {
    const progress = this.#progress.get(connection) ?? nothing;
    if (performance.now() - progress.askedAt >= interval) {
      this.#ask(connection).catch((error: Error) => this.#noteIfLost(error));
    }
    return progress;
  }

  async #ask(connection: Connection): Promise<void> {
    const askedAt = performance.now();
    const before = this.#progress.get(connection) ?? nothing;
    this.#progress.set(connection, { ...before, askedAt });
    const [row] = await connection.query({ text: replayedPosition });
    if (row === undefined) {
      // A new connection may reach a standby.
      connection.destroy();
      throw new Error('The server is a standby no more.');
    }
    const replayed = Number(row[0]);
    const reached = this.#marks.filter(({ position }) => position <= replayed).map(({ at }) => at);
    const until = Math.max(before.until, ...reached);
    this.#progress.set(connection, { askedAt, until, server: String(row[1]) });
    const isLate = this.#marks.some(({ at, position }) => position > replayed && at < askedAt - maxLag);
    this.#note(isLate ? `It is more than ${maxLag / 1_000} s behind the primary.` : '');
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
