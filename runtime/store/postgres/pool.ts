import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../../errors.ts';
import type { Connection } from './connection.ts';

interface Waiter {
  readonly resolve: (connection: Connection) => void;
  readonly reject: (error: unknown) => void;
}

/** Milliseconds between attempts to add a connection to those there are, after one was refused. */
const retryInterval = 1_000;

/**
 * A pool of connections, opened on demand. Up to `pipelineDepth` callers share a connection: their statements are sent
 * without waiting for each other and done in order.
 */
export class ConnectionPool {
  readonly #connect: (onEnd: (connection: Connection) => void) => Promise<Connection>;
  readonly #size: number;
  readonly #pipelineDepth: number;
  readonly #open = new Set<Connection>();
  readonly #waiters: Waiter[] = [];
  #opening = 0;
  #refusedAt = -Infinity;
  #isClosed = false;

  constructor(
    connect: (onEnd: (connection: Connection) => void) => Promise<Connection>,
    size: number,
    pipelineDepth: number,
  ) {
    this.#connect = connect;
    this.#size = size;
    this.#pipelineDepth = pipelineDepth;
  }

  /**
   * Does work on the connection with the fewest callers.
   *
   * @throws CannotConnect where none is open and none can be opened; ApiError `unavailable` after `close`; whatever
   *   `work` throws.
   */
  async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw unavailable('The server is stopping.', undefined);
    const connection =
      this.#acquire() ?? (await new Promise<Connection>((resolve, reject) => this.#waiters.push({ resolve, reject })));
    try {
      return await work(connection);
    } finally {
      this.#release(connection);
    }
  }

  destroyTimedOut(now: number): void {
    for (const connection of this.#open) connection.destroyIfTimedOut(now);
  }

  /** Destroys the idle connections: new ones may reach another server. */
  destroyIdle(): void {
    for (const connection of this.#open) if (connection.inFlight === 0) connection.destroy();
  }

  /** Finishes the work in flight and closes all connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#waiters.length > 0 || [...this.#open].some(({ inFlight }) => inFlight > 0)) await pause(5);
    await Promise.all([...this.#open].map((connection) => connection.end()));
  }

  /** The least used connection, if it has room. Another one is opened unless it is idle. */
  #acquire(): Connection | undefined {
    let least: Connection | undefined;
    for (const connection of this.#open) {
      if (connection.isUsable && (!least || connection.inFlight < least.inFlight)) least = connection;
      if (least?.inFlight === 0) break;
    }
    const mayTry = this.#open.size === 0 || performance.now() - this.#refusedAt >= retryInterval;
    if (least?.inFlight !== 0 && this.#hasRoom && mayTry) void this.#openOne();
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

  get #hasRoom(): boolean {
    return this.#open.size + this.#opening < this.#size;
  }

  async #openOne(): Promise<void> {
    this.#opening++;
    let connection: Connection;
    try {
      connection = await this.#connect((ended) => this.#remove(ended));
      this.#opening--;
    } catch (error) {
      this.#opening--;
      this.#refusedAt = performance.now();
      // Waiters get an open connection as soon as one has room.
      if (this.#open.size === 0 && this.#opening === 0) {
        for (const { reject } of this.#waiters.splice(0)) reject(error);
      }
      return;
    }
    this.#open.add(connection);
    this.#serveWaiters(connection);
    if (this.#isClosed && connection.inFlight === 0) await connection.end();
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
    if (this.#waiters.length > 0 && this.#hasRoom) void this.#openOne();
  }
}
