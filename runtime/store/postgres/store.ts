import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../../errors.ts';
import type { Value } from '../../schema/fields.ts';
import type { Table } from '../../schema/table.ts';
import type { Listing, Page, Store, Write, WriteResult } from '../store.ts';
import type { Address } from './connection-options.ts';
import { connect, type Connection, type Row, type Statement, type Values } from './connection.ts';
import { asUnavailable, isConflict, isCutOff, isLost, isMissing, isReadOnly, sqlState } from './failure.ts';
import { ConnectionPool } from './pool.ts';
import { Reader } from './reader.ts';
import type { SchemaGuard } from '../../migrate/schema-guard.ts';
import { Names, Statements } from './statements.ts';
import { Writer } from './writer.ts';

/** So many reads share a connection. */
const sharedBy = 64;

/** So often a read is tried whose connection ends: all that are open may have ended by now. */
const reads = 8;

/** So often a write is tried that others are in the way of. */
const writes = 10;

/**
 * A store in a PostgreSQL database, or in another one that speaks its protocol.
 *
 * Quick reads are sent one behind the other over a few connections: an answer that is read together with others takes
 * half the time. Writes have connections of their own, and so have slow reads, so that nothing quick waits for them.
 */
export class PostgresStore implements Store {
  readonly #statements: ReadonlyMap<string, Statements>;
  readonly #quick: ConnectionPool;
  readonly #slow: ConnectionPool;
  readonly #writes: ConnectionPool;
  readonly #reader = new Reader((statement, values, isSlow) => this.#ask(statement, values, isSlow));
  readonly #writer = new Writer((table) => this.#of(table));
  readonly #guard: SchemaGuard;
  readonly #watch: NodeJS.Timeout;

  /** @param guard knows whether the database has the schema of these tables */
  constructor(address: Address, tables: readonly Table[], guard: SchemaGuard) {
    const names = new Names();
    this.#guard = guard;
    this.#statements = new Map(
      tables.map((table) => {
        const children = tables.filter(({ parent }) => parent?.table === table.name);
        return [table.name, new Statements(names, table, children)];
      }),
    );
    const open = (onEnd: (connection: Connection) => void): Promise<Connection> => connect(address, onEnd);
    const quick = Math.max(1, Math.floor(address.poolSize * 0.3));
    this.#quick = new ConnectionPool(open, quick, sharedBy);
    this.#slow = new ConnectionPool(open, 1, 1);
    this.#writes = new ConnectionPool(open, address.poolSize - quick - 1, 1);
    // After a pause of the whole process, what has arrived meanwhile is read before anybody is called silent.
    const look = (): void => this.#lanes.forEach((lane) => lane.endSilent(performance.now()));
    this.#watch = setInterval(() => setImmediate(look), 1_000).unref();
  }

  async get(table: string, id: string): Promise<string | undefined> {
    return isStorable(id) ? this.#reader.get(this.#of(table), id) : undefined;
  }

  only(table: string): Promise<string> {
    return this.#reader.only(this.#of(table));
  }

  async list(table: string, page: Page): Promise<Listing | undefined> {
    const { where, after = '' } = page;
    if (!Object.values(where ?? {}).every(isStorable)) {
      return after === '' ? { total: 0, hasMore: false, items: '' } : undefined;
    }
    if (isStorable(after)) return this.#reader.list(this.#of(table), page);
    // What sorts behind it sorts behind its beginning.
    return where
      ? undefined
      : this.#reader.list(this.#of(table), { ...page, after: after.slice(0, after.indexOf('\0')) });
  }

  async write(write: Write): Promise<WriteResult> {
    if ('id' in write && !isStorable(write.id)) return { outcome: 'not_found', id: write.id };
    for (let attempt = 1; ; attempt++) {
      try {
        if (!this.#guard.isReady) await this.#guard.ready();
        return await this.#writes.use((connection) => this.#attempt(connection, write));
      } catch (error) {
        if (!this.#mayBeRepeated(error, attempt)) throw this.#refusal(error);
        await pause(Math.random() * 2 ** attempt);
      }
    }
  }

  async check(): Promise<void> {
    await this.#ask({ text: 'select 1' }, []);
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
    clearInterval(this.#watch);
  }

  get #lanes(): ConnectionPool[] {
    return [this.#quick, this.#slow, this.#writes];
  }

  #of(table: string): Statements {
    const statements = this.#statements.get(table);
    if (!statements) throw new Error(`The store was opened without a table "${table}".`);
    return statements;
  }

  async #ask(statement: Statement, values: Values, isSlow = false): Promise<Row[]> {
    const lane = isSlow ? this.#slow : this.#quick;
    for (let attempt = 1; ; attempt++) {
      try {
        if (!this.#guard.isReady) await this.#guard.ready();
        return await lane.use((connection) => connection.query(statement, values));
      } catch (error) {
        if (!(isLost(error) || isCutOff(error) || isConflict(error)) || attempt === reads) throw this.#refusal(error);
      }
    }
  }

  /** Whether a write that has failed was not done, and may succeed now. */
  #mayBeRepeated(error: unknown, attempt: number): boolean {
    if (isReadOnly(error) && attempt === 1) this.#writes.renew();
    return (
      (isConflict(error) && attempt < writes) ||
      (isCutOff(error) && attempt < reads) ||
      (isReadOnly(error) && attempt === 1)
    );
  }

  #refusal(error: unknown): unknown {
    if (isMissing(error)) this.#guard.doubt();
    return asUnavailable(error);
  }

  async #attempt(connection: Connection, write: Write): Promise<WriteResult> {
    try {
      return await this.#writer.run(connection, write);
    } catch (error) {
      // A write that may have been done is not done again: only the caller can tell whether it was.
      if (isLost(error)) {
        throw unavailable('The database went away during the write: it may have been done or not.', error);
      }
      await leave(connection, error);
      throw error;
    }
  }
}

/** PostgreSQL keeps no U+0000: nothing has such an id or parent. */
const isStorable = (value: Value): boolean => typeof value !== 'string' || !value.includes('\0');

/** Ends a transaction that has failed, and a connection that cannot go on. */
async function leave(connection: Connection, error: unknown): Promise<void> {
  // The server takes no writes any more: another one does now. Or it does not know what was prepared.
  if (isReadOnly(error) || sqlState(error) === '26000') {
    connection.destroy();
    return;
  }
  await connection.query({ text: 'rollback' }).catch(() => connection.destroy());
}
