import { limitWait, randomPause } from '../model/wait.ts';
import { overloaded, unavailable } from '../model/errors.ts';
import { Turns } from '../records/turns.ts';
import type { ConnectionOptions } from './connection-options.ts';
import { connect, type Connection } from './connection.ts';
import { isLockTimeout } from './failure.ts';
import { checkInterval } from '../model/limits.ts';
import { maxWaiting } from '../records/limits.ts';
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

type Waiter = PromiseWithResolvers<Connection> & Pick<Work<unknown>, 'table'>;

/**
 * Connections for one kind of work, opened on demand. As a table may be locked or very busy, work on it leaves one connection to
 * other tables, unless connections are shared. Work that waits is served by turns of its tables, and of the keys that use a table.
 */
export class ConnectionPool {
  readonly #options: ConnectionOptions;
  readonly #maxDuration: number;
  readonly #isShared: boolean;
  /** The maximum number of connections, and of those for one table. */
  readonly #size: number;
  readonly #maxUsed: number;
  readonly #open = new Set<Connection>();
  /** By table, how often its work has a connection. */
  readonly #used = new Map<string, number>();
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
    this.#isShared = kind === 'quick';
    this.#size = { quick, slow, writes: options.poolSize - quick - slow }[kind];
    this.#maxUsed = this.#isShared ? Infinity : Math.max(1, this.#size - 1);
  }

  /**
   * Runs work on the connection with the least work.
   *
   * @throws CannotConnect if no connection is open or can be opened, ApiError `overloaded` if too much work waits or this has
   *   waited too long, ApiError `unavailable` after `close`, and the errors of `run`
   */
  async use<T>(work: Work<T>): Promise<T> {
    if (this.#isClosed) throw unavailable('The server is shutting down.');
    const { table, owner, since } = work;
    let connection = this.#acquire(table);
    const waiter = connection ? undefined : this.#wait(work);
    const run = async (): Promise<T> => {
      try {
        connection ??= await (waiter as Waiter).promise;
        return await work.run(connection);
      } catch (error) {
        // The next statements on a shared connection may wait for the same lock: they fail as well, and may be repeated on another.
        if (this.#isShared && isLockTimeout(error)) connection?.destroy();
        throw error;
      } finally {
        if (connection) this.#release(table, connection);
      }
    };
    return limitWait(this.#maxDuration - (performance.now() - since), run(), () => {
      if (connection) return connection.destroy();
      this.#waiting.delete(table, owner, waiter as Waiter);
      waiter?.reject(notBegun('The database was busy for too long', work));
    });
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

  #mayUse(table: string): boolean {
    return (this.#used.get(table) ?? 0) < this.#maxUsed;
  }

  #acquire(table: string): Connection | undefined {
    const connection = this.#mayUse(table) ? this.#available() : undefined;
    return connection && this.#assign(connection, table);
  }

  /** The connection with the least work, if it has room. Another one is opened unless that one is idle. */
  #available(): Connection | undefined {
    let least: Connection | undefined;
    for (const connection of this.#open) {
      if (connection.isUsable && (!least || connection.inFlight < least.inFlight)) least = connection;
      if (least?.inFlight === 0) break;
    }
    const mayTry = this.#open.size === 0 || performance.now() - this.#refusedAt >= checkInterval;
    if (least?.inFlight !== 0 && mayTry) void this.#grow();
    return least && least.inFlight < (this.#isShared ? pipelineDepth : 1) ? least : undefined;
  }

  #assign(connection: Connection, table: string): Connection {
    connection.inFlight++;
    this.#used.set(table, (this.#used.get(table) ?? 0) + 1);
    return connection;
  }

  #release(table: string, connection: Connection): void {
    connection.inFlight--;
    this.#used.set(table, (this.#used.get(table) as number) - 1);
    if (!connection.isUsable && connection.inFlight === 0) {
      this.#remove(connection);
      void connection.end();
    }
    this.#serveWaiting();
  }

  #wait(work: Work<unknown>): Waiter {
    if (this.waiting >= maxWaiting) throw notBegun('Too many requests wait for the database', work);
    const waiter = { ...Promise.withResolvers<Connection>(), table: work.table };
    this.#waiting.add(work.table, work.owner, waiter);
    return waiter;
  }

  /** Serves the work that waits as long as there are connections for it. */
  #serveWaiting(): void {
    while (this.waiting > 0) {
      const connection = this.#available();
      const waiter = connection && this.#waiting.next((table) => this.#mayUse(table));
      if (!waiter) return;
      waiter.resolve(this.#assign(connection, waiter.table));
    }
  }

  /** Opens another connection if there is room for it. */
  async #grow(): Promise<void> {
    if (this.#open.size + this.#opening >= this.#size) return;
    this.#opening++;
    let connection: Connection | undefined;
    try {
      connection = await connect(this.#options);
      if (this.#isShared) await connection.set('lock_timeout', quickLockTimeout);
      this.#open.add(connection);
      void connection.ended.then(() => this.#remove(connection as Connection));
      this.#serveWaiting();
      if (this.#isClosed && connection.inFlight === 0) void connection.end();
    } catch (error) {
      connection?.destroy();
      this.#refusedAt = performance.now();
      // While a connection is open, those that wait get it when it has room.
      if (this.#open.size > 0 || this.#opening > 1) return;
      for (let waiter = this.#waiting.next(); waiter; waiter = this.#waiting.next()) waiter.reject(error);
    } finally {
      this.#opening--;
    }
  }

  #remove(connection: Connection): void {
    this.#open.delete(connection);
    if (this.waiting > 0) void this.#grow();
  }
}

const notBegun = (reason: string, { isWrite }: Work<unknown>) =>
  overloaded(`${reason}${isWrite ? ': nothing was done' : ''}.`);
