import { limitWait, randomPause } from '../../kernel/model/wait.ts';
import { overloaded, unavailable } from '../../kernel/model/errors.ts';
import { Turns } from '../../kernel/records/turns.ts';
import type { ConnectionOptions } from './connection-options.ts';
import { connect, type Connection } from './connection.ts';
import { isLockTimeout } from './failure.ts';
import { checkInterval } from '../../kernel/model/limits.ts';
import { maxWaiting } from '../../kernel/records/limits.ts';
import { pipelineDepth, quickLockTimeout } from './limits.ts';

/** A slow read is sent over another connection, so that quick ones do not wait for it. */
export type ReadKind = 'quick' | 'slow';

export type PoolKind = ReadKind | 'writes';

/** Work on a connection. */
export interface Work<T> {
  readonly table: string;
  /** The organization that it is about; undefined if it is about none. */
  readonly organization?: number | undefined;
  /** Keys take turns at the connections. */
  readonly owner: object;
  /** When its time began, by `performance.now()`. */
  readonly since: number;
  /** If it was not begun, the message says that nothing was done. A read may follow a write, so its message does not. */
  readonly isWrite: boolean;
  run(connection: Connection): Promise<T>;
}

type Waiter = PromiseWithResolvers<Connection>;

/**
 * Connections for one kind of work, opened on demand. Work that waits is served by turns of its tables, and of the keys that use a
 * table.
 */
export class ConnectionPool {
  readonly #options: ConnectionOptions;
  readonly #maxDuration: number;
  /** The maximum number of connections, and of work on each at a time. */
  readonly #size: number;
  readonly #depth: number;
  readonly #open = new Set<Connection>();
  readonly #waiting = new Turns<string, Waiter>();
  #opening = 0;
  #refusedAt = -Infinity;
  #isClosed = false;

  /**
   * @param kind quick reads share a quarter of the connections; slow work has a fifth of them, and short writes have the rest
   * @param maxDuration milliseconds after which work is rejected, and the connection that it uses is destroyed
   */
  constructor(options: ConnectionOptions, kind: PoolKind, maxDuration: number) {
    const quick = Math.max(1, Math.floor(options.poolSize / 4));
    const slow = Math.max(1, Math.floor(options.poolSize / 5));
    this.#options = options;
    this.#maxDuration = maxDuration;
    this.#size = { quick, slow, writes: options.poolSize - quick - slow }[kind];
    this.#depth = kind === 'quick' ? pipelineDepth : 1;
  }

  /**
   * Runs work on the connection with the least work.
   *
   * @throws CannotConnect if no connection is open or can be opened, ApiError `overloaded` if too much work waits or this has
   *   waited too long, ApiError `unavailable` after `close`, and the errors of `run`
   */
  async use<T>(work: Work<T>): Promise<T> {
    if (this.#isClosed) throw unavailable('The server is shutting down.');
    const until = work.since + this.#maxDuration;
    const connection = this.#take() ?? (await this.#wait(work, until));
    try {
      return await limitWait(until - performance.now(), work.run(connection), () => connection.destroy());
    } catch (error) {
      // The next statements on a shared connection may wait for the same lock: they fail as well, and may be repeated on another.
      if (this.#depth > 1 && isLockTimeout(error)) connection.destroy();
      throw error;
    } finally {
      connection.inFlight--;
      if (!connection.isUsable && connection.inFlight === 0) {
        this.#open.delete(connection);
        void connection.end();
      }
      this.#serveWaiting();
    }
  }

  /** Opens the first connection before it is needed, if it can be opened. */
  async open(): Promise<void> {
    if (this.#open.size === 0 && !this.#isClosed) await this.#grow();
  }

  /** Open connections. */
  get size(): number {
    return this.#open.size;
  }

  /** Work that waits for a connection. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Destroys the idle connections, so that new ones may reach another server. */
  destroyIdle(): void {
    for (const connection of this.#open) if (connection.inFlight === 0) connection.destroy();
  }

  /** Finishes the work in flight and closes all connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.waiting > 0 || [...this.#open].some(({ inFlight }) => inFlight > 0)) await randomPause(5);
    await Promise.all([...this.#open].map((connection) => connection.end()));
  }

  /** Takes the connection with the least work, if it has room. Another one is opened unless that one is idle. */
  #take(): Connection | undefined {
    let least: Connection | undefined;
    for (const connection of this.#open) {
      if (connection.isUsable && (!least || connection.inFlight < least.inFlight)) least = connection;
      if (least?.inFlight === 0) break;
    }
    const mayTry = this.#open.size === 0 || performance.now() - this.#refusedAt >= checkInterval;
    if (least?.inFlight !== 0 && mayTry) void this.#grow();
    if (!least || least.inFlight >= this.#depth) return undefined;
    least.inFlight++;
    return least;
  }

  #wait(work: Work<unknown>, until: number): Promise<Connection> {
    if (this.waiting >= maxWaiting) throw notBegun('Too many requests wait for the database', work);
    const waiter: Waiter = Promise.withResolvers();
    this.#waiting.add(work.table, work.owner, waiter);
    return limitWait(until - performance.now(), waiter.promise, () => {
      this.#waiting.delete(work.table, work.owner, waiter);
      waiter.reject(notBegun('The database was busy for too long', work));
    });
  }

  /** Serves the work that waits as long as there are connections for it. */
  #serveWaiting(): void {
    while (this.waiting > 0) {
      const connection = this.#take();
      if (!connection) return;
      this.#waiting.next()?.resolve(connection);
    }
  }

  /** Opens another connection if there is room for it. */
  async #grow(): Promise<void> {
    if (this.#open.size + this.#opening >= this.#size) return;
    this.#opening++;
    try {
      const connection = await connect(this.#options, this.#depth > 1 ? quickLockTimeout : undefined);
      this.#open.add(connection);
      void connection.ended.then(() => {
        this.#open.delete(connection);
        this.#serveWaiting();
      });
      this.#serveWaiting();
      if (this.#isClosed && connection.inFlight === 0) void connection.end();
    } catch (error) {
      this.#refusedAt = performance.now();
      // While a connection is open, those that wait get it when it has room.
      if (this.#open.size > 0 || this.#opening > 1) return;
      for (let waiter = this.#waiting.next(); waiter; waiter = this.#waiting.next()) waiter.reject(error);
    } finally {
      this.#opening--;
    }
  }
}

const notBegun = (reason: string, { isWrite }: Work<unknown>) =>
  overloaded(`${reason}${isWrite ? ': nothing was done' : ''}.`);
