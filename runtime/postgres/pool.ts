import { setTimeout as pause } from 'node:timers/promises';
import { overloaded, unavailable } from '../model/errors.ts';
import { Timed, TimeLimit } from '../records/time-limit.ts';
import type { ConnectionOptions } from './connection-options.ts';
import { connect, type Connection, type Timeouts } from './connection.ts';
import { isLockTimeout } from './failure.ts';
import { Turns } from './turns.ts';

/** Milliseconds after a failed connection attempt before the pool tries to grow again. */
const retryInterval = 1_000;

interface PoolSettings {
  /** Maximum number of connections. */
  readonly size: number;
  /** Callers that share a connection: their statements are sent without waiting for each other, and executed in order. */
  readonly pipelineDepth: number;
  /** Callers of one table that may wait. */
  readonly maxWaiting: number;
  /** Milliseconds after which a caller is rejected, and the connection that it uses is destroyed. */
  readonly maxDuration: number;
  readonly timeouts?: Partial<Timeouts>;
}

/** The callers of one table. */
interface TableQueue {
  /** The callers that wait for a connection; keys take turns. */
  readonly waiting: Turns<PoolCaller>;
  /** The number of connections that the others have; connections that are shared are not counted. */
  used: number;
}

class PoolCaller extends Timed {
  readonly queue: TableQueue;
  readonly client: object;
  /** A sentence that the message of `overloaded` adds. */
  readonly consequence: string;
  connection: Connection | undefined;
  waiting: PromiseWithResolvers<void> | undefined;

  constructor(queue: TableQueue, client: object, since: number, consequence: string) {
    super(since);
    this.queue = queue;
    this.client = client;
    this.consequence = consequence;
  }
}

/**
 * A pool of connections, opened on demand. As a table may be locked or very busy, its callers leave one connection to those of
 * other tables. Callers that wait are served by turns of their tables, and of the keys that use a table.
 */
export class ConnectionPool {
  readonly #options: ConnectionOptions;
  readonly #settings: PoolSettings;
  readonly #open = new Set<Connection>();
  readonly #queues = new Map<string, TableQueue>();
  /** The queues in which callers wait, in the order in which they are served. */
  readonly #waiting: TableQueue[] = [];
  /** The number of connections that the callers of one table may have. */
  readonly #maxUsed: number;
  readonly #timeLimit: TimeLimit<PoolCaller>;
  #opening = 0;
  #refusedAt = -Infinity;
  #isClosed = false;

  constructor(options: ConnectionOptions, settings: PoolSettings) {
    this.#options = options;
    this.#settings = settings;
    this.#maxUsed = settings.pipelineDepth > 1 ? Infinity : Math.max(1, settings.size - 1);
    this.#timeLimit = new TimeLimit(settings.maxDuration, (caller) => this.#expire(caller));
  }

  /**
   * Runs `work` on the connection with the fewest callers.
   *
   * @param client whose turn it takes
   * @param since when the caller's time began, by `performance.now()`
   * @param consequence what the message of `overloaded` adds
   * @throws CannotConnect if no connection is open or can be opened, ApiError `overloaded` if too many callers wait or this one
   *   has waited too long, ApiError `unavailable` after `close`, and the errors of `work`
   */
  async use<T>(
    table: string,
    client: object,
    since: number,
    work: (connection: Connection) => Promise<T>,
    consequence = '',
  ): Promise<T> {
    if (this.#isClosed) throw unavailable('The server is shutting down.');
    let queue = this.#queues.get(table);
    if (!queue) this.#queues.set(table, (queue = { waiting: new Turns(), used: 0 }));
    const caller = new PoolCaller(queue, client, since, consequence);
    const connection = queue.used < this.#maxUsed && this.#acquire();
    if (connection) this.#serve(caller, connection);
    this.#timeLimit.add(caller);
    try {
      if (!connection) await this.#wait(caller);
      return await work(caller.connection as Connection);
    } catch (error) {
      // The next statements on a shared connection may wait for the same lock: they fail as well, and may be repeated on another.
      if (this.#settings.pipelineDepth > 1 && isLockTimeout(error)) caller.connection?.destroy();
      throw error;
    } finally {
      this.#timeLimit.delete(caller);
      if (caller.connection) this.#release(queue, caller.connection);
    }
  }

  /** Opens the first connection before it is needed, if it can be opened. */
  async open(): Promise<void> {
    if (this.#open.size === 0 && !this.#isClosed) await this.#grow();
  }

  /** Whether a caller's time is over. */
  isOver(since: number): boolean {
    return this.#timeLimit.isOver(since);
  }

  /** Open connections. */
  get size(): number {
    return this.#open.size;
  }

  /** Callers that wait for a connection. */
  get waiting(): number {
    return this.#waiting.reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  /** Destroys the idle connections, so that new ones may reach another server. */
  destroyIdle(): void {
    for (const connection of this.#open) if (connection.inFlight === 0) connection.destroy();
  }

  /** Finishes the work in flight and closes all connections. */
  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#waiting.length > 0 || [...this.#open].some(({ inFlight }) => inFlight > 0)) await pause(5);
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
    return least && least.inFlight < this.#settings.pipelineDepth ? least : undefined;
  }

  #serve(caller: PoolCaller, connection: Connection): void {
    connection.inFlight++;
    if (this.#settings.pipelineDepth === 1) caller.queue.used++;
    caller.connection = connection;
    caller.waiting?.resolve();
  }

  #release(queue: TableQueue, connection: Connection): void {
    connection.inFlight--;
    if (this.#settings.pipelineDepth === 1) queue.used--;
    if (!connection.isUsable && connection.inFlight === 0) {
      this.#remove(connection);
      void connection.end();
    }
    this.#serveWaiting();
  }

  /** Opens another connection if there is room for it. */
  async #grow(): Promise<void> {
    if (this.#open.size + this.#opening >= this.#settings.size) return;
    this.#opening++;
    try {
      const connection = await connect(this.#options, this.#settings.timeouts);
      this.#open.add(connection);
      void connection.ended.then(() => this.#remove(connection));
      this.#serveWaiting();
      if (this.#isClosed && connection.inFlight === 0) void connection.end();
    } catch (error) {
      this.#refusedAt = performance.now();
      // While a connection is open, those that wait get it when it has room.
      if (this.#open.size === 0 && this.#opening === 1) this.#rejectWaiting(error);
    } finally {
      this.#opening--;
    }
  }

  /** Resolves when the caller has a connection. */
  #wait(caller: PoolCaller): Promise<void> {
    const { queue, consequence } = caller;
    if (queue.waiting.length >= this.#settings.maxWaiting) {
      throw overloaded(`Too many requests wait for the database${consequence}.`);
    }
    caller.waiting = Promise.withResolvers();
    if (queue.waiting.length === 0) this.#waiting.push(queue);
    queue.waiting.add(caller.client, caller);
    return caller.waiting.promise;
  }

  /** Serves the callers that wait, by turns of their tables, as long as there are connections for them. */
  #serveWaiting(): void {
    for (;;) {
      const index = this.#waiting.findIndex(({ used }) => used < this.#maxUsed);
      const connection = index !== -1 && this.#acquire();
      if (!connection) return;
      const [queue] = this.#waiting.splice(index, 1) as [TableQueue];
      this.#serve(queue.waiting.next() as PoolCaller, connection);
      if (queue.waiting.length > 0) this.#waiting.push(queue);
    }
  }

  #rejectWaiting(error: unknown): void {
    for (const { waiting } of this.#waiting.splice(0)) {
      for (let caller = waiting.next(); caller; caller = waiting.next()) caller.waiting?.reject(error);
    }
  }

  #expire(caller: PoolCaller): void {
    const { connection, queue, client, consequence, waiting } = caller;
    if (connection) return connection.destroy();
    queue.waiting.delete(client, caller);
    if (queue.waiting.length === 0) this.#waiting.splice(this.#waiting.indexOf(queue), 1);
    waiting?.reject(overloaded(`The database was busy for too long${consequence}.`));
  }

  #remove(connection: Connection): void {
    this.#open.delete(connection);
    if (this.#waiting.length > 0) void this.#grow();
  }
}
