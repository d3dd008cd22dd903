import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../../errors.ts';
import type { ConnectionOptions } from './connection-options.ts';
import { connect, type Connection } from './connection.ts';

/** Milliseconds after a failed connection attempt before the pool tries to grow again. */
const retryInterval = 1_000;

/**
 * A pool of connections, opened on demand. Up to `pipelineDepth` callers share a connection: their statements are sent
 * without waiting for each other, and executed in order.
 */
export class ConnectionPool {
  readonly #options: ConnectionOptions;
  readonly #size: number;
  readonly #pipelineDepth: number;
  readonly #open = new Set<Connection>();
  readonly #waiters: PromiseWithResolvers<Connection>[] = [];
  #opening = 0;
  #refusedAt = -Infinity;
  #isClosed = false;

  constructor(options: ConnectionOptions, size: number, pipelineDepth: number) {
    this.#options = options;
    this.#size = size;
    this.#pipelineDepth = pipelineDepth;
  }

  /**
   * Runs `work` on the connection with the fewest callers.
   *
   * @throws CannotConnect if no connection is open or can be opened, ApiError `unavailable` after `close`, and the errors of
   *   `work`
   */
  async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw unavailable('The server is stopping.', undefined);
    let connection = this.#acquire();
    if (!connection) {
      const waiter = Promise.withResolvers<Connection>();
      this.#waiters.push(waiter);
      connection = await waiter.promise;
    }
    try {
      return await work(connection);
    } finally {
      this.#release(connection);
    }
  }

  /** Open connections. */
  get size(): number {
    return this.#open.size;
  }

  /** Callers that wait for a connection. */
  get waiting(): number {
    return this.#waiters.length;
  }

  /** Destroys the idle connections, so that new ones may reach another server. */
  destroyIdle(): void {
    for (const connection of this.#open) if (connection.inFlight === 0) connection.destroy();
  }

  /** Finishes the work in flight and closes all connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#waiters.length > 0 || [...this.#open].some(({ inFlight }) => inFlight > 0)) await pause(5);
    await Promise.all([...this.#open].map((connection) => connection.end()));
  }

  /** The least used connection, if it has room. Another one is opened unless that one is idle. */
  #acquire(): Connection | undefined {
    let least: Connection | undefined;
    for (const connection of this.#open) {
      if (connection.isUsable && (!least || connection.inFlight < least.inFlight)) least = connection;
      if (least?.inFlight === 0) break;
    }
    const mayTry = this.#open.size === 0 || performance.now() - this.#refusedAt >= retryInterval;
    if (least?.inFlight !== 0 && mayTry) void this.#grow();
    if (!least || least.inFlight >= this.#pipelineDepth) return undefined;
    least.inFlight++;
    return least;
  }

  #release(connection: Connection): void {
    connection.inFlight--;
    if (connection.isUsable) {
      this.#serveWaiters(connection);
    } else if (connection.inFlight === 0) {
      this.#remove(connection);
      void connection.end();
    }
  }

  /** Opens another connection if there is room for it. */
  async #grow(): Promise<void> {
    if (this.#open.size + this.#opening >= this.#size) return;
    this.#opening++;
    try {
      const connection = await connect(this.#options);
      this.#open.add(connection);
      void connection.ended.then(() => this.#remove(connection));
      this.#serveWaiters(connection);
      if (this.#isClosed && connection.inFlight === 0) void connection.end();
    } catch (error) {
      this.#refusedAt = performance.now();
      // While a connection is open, waiters get it when it has room.
      if (this.#open.size === 0 && this.#opening === 1) for (const { reject } of this.#waiters.splice(0)) reject(error);
    } finally {
      this.#opening--;
    }
  }

  #serveWaiters(connection: Connection): void {
    while (connection.inFlight < this.#pipelineDepth && connection.isUsable) {
      const next = this.#waiters.shift();
      if (!next) return;
      connection.inFlight++;
      next.resolve(connection);
    }
  }

  #remove(connection: Connection): void {
    this.#open.delete(connection);
    if (this.#waiters.length > 0) void this.#grow();
  }
}
