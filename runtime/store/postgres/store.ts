import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../../errors.ts';
import type { Value } from '../../schema/fields.ts';
import type { Table } from '../../schema/table.ts';
import type { Listing, Page, Store, Write, WriteResult } from '../store.ts';
import type { ConnectionOptions } from './connection-options.ts';
import { connect, type Connection, type Row, type Statement, type Values } from './connection.ts';
import {
  asUnavailable,
  isConflict,
  isConnectInterrupted,
  isOutcomeUnknown,
  isReadOnly,
  isSchemaOutdated,
} from './failure.ts';
import { ConnectionPool } from './pool.ts';
import { Reader } from './reader.ts';
import { Names, Statements } from './statements.ts';
import { Writer } from './writer.ts';

/** Whether the database has the schema of the tables that a store serves. */
export interface SchemaCheck {
  readonly isReady: boolean;
  /** Checks again. @throws ApiError `unavailable` that says what is missing, and what the database throws. */
  ready(): Promise<void>;
  /** A table or column was not there: the schema has to be checked again. */
  doubt(): void;
}

/** Reads that share a connection. */
const pipelineDepth = 64;

/** Attempts of a read whose connection is lost: all open ones may be by now. */
const readAttempts = 8;

/** Attempts of a write that conflicts with others. */
const writeAttempts = 10;

/**
 * A store in a PostgreSQL database, or in another one that speaks its protocol.
 *
 * Quick reads are pipelined over a few connections: answers that are read together take half the time. Writes and slow
 * reads have connection pools of their own, so that no quick read waits for them.
 */
export class PostgresStore implements Store {
  readonly #statements: ReadonlyMap<string, Statements>;
  readonly #quick: ConnectionPool;
  readonly #slow: ConnectionPool;
  readonly #writes: ConnectionPool;
  readonly #reader = new Reader((statement, values, isSlow) => this.#ask(statement, values, isSlow));
  readonly #writer = new Writer((table) => this.#of(table));
  readonly #schema: SchemaCheck;

  constructor(options: ConnectionOptions, tables: readonly Table[], schema: SchemaCheck) {
    const names = new Names();
    this.#schema = schema;
    this.#statements = new Map(
      tables.map((table) => {
        const children = tables.filter(({ parent }) => parent?.table === table.name);
        return [table.name, new Statements(names, table, children)];
      }),
    );
    const open = (onEnd: (connection: Connection) => void): Promise<Connection> => connect(options, onEnd);
    const quick = Math.max(1, Math.floor(options.poolSize * 0.3));
    this.#quick = new ConnectionPool(open, quick, pipelineDepth);
    this.#slow = new ConnectionPool(open, 1, 1);
    this.#writes = new ConnectionPool(open, options.poolSize - quick - 1, 1);
  }

  async get(table: string, id: string): Promise<string | undefined> {
    return isStorable(id) ? this.#reader.get(this.#of(table), id) : undefined;
  }

  only(table: string): Promise<string> {
    return this.#reader.only(this.#of(table));
  }

  async list(table: string, page: Page): Promise<Listing | undefined> {
    const statements = this.#of(table);
    const { where = {}, after = '' } = page;
    const needsRecord = after !== '' && statements.table.parent !== undefined;
    if (!Object.values(where).every(isStorable)) {
      return needsRecord ? undefined : { total: 0, hasMore: false, items: '' };
    }
    if (isStorable(after)) return this.#reader.list(statements, page);
    if (needsRecord) return undefined;
    // What sorts after it sorts after its beginning.
    return this.#reader.list(statements, { ...page, after: after.slice(0, after.indexOf('\0')) });
  }

  async write(write: Write): Promise<WriteResult> {
    if ('id' in write && !isStorable(write.id)) return { outcome: 'not_found', id: write.id };
    for (let attempt = 1; ; attempt++) {
      try {
        if (!this.#schema.isReady) await this.#schema.ready();
        return await this.#writes.use((connection) => this.#attempt(connection, write));
      } catch (error) {
        if (!this.#mayRetry(error, attempt)) throw this.#asApiError(error);
        await pause(Math.random() * 2 ** attempt);
      }
    }
  }

  async check(): Promise<void> {
    await this.#ask({ text: 'select 1' }, []);
  }

  async close(): Promise<void> {
    await Promise.all([this.#quick, this.#slow, this.#writes].map((pool) => pool.close()));
  }

  #of(table: string): Statements {
    const statements = this.#statements.get(table);
    if (!statements) throw new Error(`The store was opened without a table "${table}".`);
    return statements;
  }

  async #ask(statement: Statement, values: Values, isSlow = false): Promise<Row[]> {
    const pool = isSlow ? this.#slow : this.#quick;
    for (let attempt = 1; ; attempt++) {
      try {
        if (!this.#schema.isReady) await this.#schema.ready();
        return await pool.use((connection) => connection.query(statement, values));
      } catch (error) {
        const mayRetry = isOutcomeUnknown(error) || isConnectInterrupted(error) || isConflict(error);
        if (!mayRetry || attempt === readAttempts) throw this.#asApiError(error);
      }
    }
  }

  /** Whether a failed write was certainly not done, and may succeed now. */
  #mayRetry(error: unknown, attempt: number): boolean {
    if (isReadOnly(error) && attempt === 1) this.#writes.destroyIdle();
    return (
      (isConflict(error) && attempt < writeAttempts) ||
      (isConnectInterrupted(error) && attempt < readAttempts) ||
      (isReadOnly(error) && attempt === 1)
    );
  }

  #asApiError(error: unknown): unknown {
    if (isSchemaOutdated(error)) this.#schema.doubt();
    return asUnavailable(error);
  }

  async #attempt(connection: Connection, write: Write): Promise<WriteResult> {
    try {
      return await this.#writer.run(connection, write);
    } catch (error) {
      // It is not repeated: only the client can tell whether it was done.
      if (isOutcomeUnknown(error)) {
        connection.destroy();
        throw unavailable('The database did not confirm the write: it may have been done or not.', error);
      }
      // Another server accepts writes now.
      if (isReadOnly(error)) connection.destroy();
      // A transaction may be open.
      else await connection.query({ text: 'rollback' }).catch(() => connection.destroy());
      throw error;
    }
  }
}

/** PostgreSQL cannot store U+0000: nothing has such an id or parent. */
const isStorable = (value: Value): boolean => typeof value !== 'string' || !value.includes('\0');
