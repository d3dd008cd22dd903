import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../../errors.ts';
import type { Connection } from './connection.ts';

interface Waiting {
  readonly resolve: (connection: Connection) => void;
  readonly reject: (error: unknown) => void;
}

/** Where no more connections can be had, and there are some, so many milliseconds pass before the next attempt. */
const openInterval = 1_000;

/**
 * Some connections for work of one kind, opened when there is work for them. `depth` many share a connection: their
 * statements are sent without waiting for each other, and are done one by one.
 */
export class ConnectionPool {
  readonly #connect: (onEnd: (connection: Connection) => void) => Promise<Connection>;
  readonly #size: number;
  readonly #depth: number;
  readonly #open = new Set<Connection>();
  readonly #waiting: Waiting[] = [];
  #opening = 0;
  #refusedAt = -Infinity;
  #isClosed = false;

  constructor(connect: (onEnd: (connection: Connection) => void) => Promise<Connection>, size: number, depth: number) {
    this.#connect = connect;
    this.#size = size;
    this.#depth = depth;
  }

  /**
   * Lends a connection, the least used one, for what `work` does with it.
   *
   * @throws CannotConnect where there is none and none can be opened; ApiError `unavailable` after `close`; whatever
   *   `work` throws.
   */
  async use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw unavailable('The server is stopping.', undefined);
    const connection = this.#borrow() ?? (await this.#wait());
    try {
      return await work(connection);
    } finally {
      connection.users--;
      this.#giveBack(connection);
    }
  }

  endSilent(now: number): void {
    for (const connection of this.#open) connection.endIfSilent(now);
  }

  /** Ends the connections that nobody uses: new ones may be better. */
  renew(): void {
    for (const connection of this.#open) if (connection.users === 0) connection.destroy();
  }

  /** Finishes the work under way and ends all connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#waiting.length > 0 || [...this.#open].some(({ users }) => users > 0)) await pause(5);
    await Promise.all([...this.#open].map((connection) => connection.end()));
  }

  #borrow(): Connection | undefined {
    let least: Connection | undefined;
    for (const connection of this.#open) {
      if (connection.isUsable && (!least || connection.users < least.users)) least = connection;
      if (least?.users === 0) break;
    }
    if (least?.users !== 0 && this.#mayOpen) void this.#openOne();
    if (!least || least.users >= this.#depth) return undefined;
    least.users++;
    return least;
  }

  get #mayOpen(): boolean {
    const hasRoom = this.#open.size + this.#opening < this.#size;
    return hasRoom && (this.#open.size === 0 || performance.now() - this.#refusedAt >= openInterval);
  }

  #wait(): Promise<Connection> {
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  async #openOne(): Promise<void> {
    this.#opening++;
    let connection: Connection;
    try {
      connection = await this.#connect((ended) => this.#forget(ended));
      this.#opening--;
    } catch (error) {
      this.#opening--;
      this.#refusedAt = performance.now();
      // Others may be open, and get to those who wait.
      if (this.#open.size === 0 && this.#opening === 0) this.#refuseWaiting(error);
      return;
    }
    this.#open.add(connection);
    this.#serve(connection);
    if (this.#isClosed && connection.users === 0) await connection.end();
  }

  /** Gives a connection to those who wait for one. */
  #serve(connection: Connection): void {
    while (connection.users < this.#depth && connection.isUsable) {
      const next = this.#waiting.shift();
      if (!next) return;
      connection.users++;
      next.resolve(connection);
    }
  }

  #giveBack(connection: Connection): void {
    if (connection.isUsable) {
      this.#serve(connection);
    } else if (connection.users === 0) {
      this.#forget(connection);
      void connection.end();
    }
  }

  #forget(connection: Connection): void {
    this.#open.delete(connection);
    if (this.#waiting.length > 0 && this.#open.size + this.#opening < this.#size) {
      void this.#openOne();
    }
  }

  #refuseWaiting(error: unknown): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
