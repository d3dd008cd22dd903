import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../../errors.ts';
import type { Value } from '../../schema/fields.ts';
import type { Table } from '../../schema/table.ts';
import { Dml, type Statement } from '../dml.ts';
import type { Listing, Page, Store, Write, WriteResult } from '../store.ts';
import type { ConnectionOptions } from './connection-options.ts';
import { connect, type Connection, type Row } from './connection.ts';
import {
  asUnavailable,
  isConflict,
  isConnectInterrupted,
  isOutcomeUnknown,
  isReadOnly,
  isSchemaOutdated,
} from './failure.ts';
import { ConnectionPool } from './pool.ts';
import { type QueryOptions, Reader } from './reader.ts';
import { postgresDialect } from './dialect.ts';
import { StatementNames } from './statement-names.ts';
import { Writer } from './writer.ts';

/** Concurrent reads on one connection. */
const pipelineDepth = 64;

/** Attempts of a read whose connection is lost: all open connections may be lost. */
const readAttempts = 8;

/** Attempts of a write that conflicts with others. */
const writeAttempts = 10;

/** The state of the schema that the store needs. */
export interface SchemaState {
  readonly isReady: boolean;
  /** Resolves when the schema is ready. @throws ApiError `unavailable` that says what is missing */
  ready(): Promise<void>;
  /** Requests a new check: a table or column is missing. */
  doubt(): void;
}

/**
 * A store in a PostgreSQL database, or another one with its protocol.
 *
 * Quick reads are pipelined over a few connections, which halves their CPU time. Writes and slow reads have connection pools
 * of their own, so that no quick read waits for them.
 */
export class PostgresStore implements Store {
  readonly #names = new StatementNames();
  readonly #quick: ConnectionPool;
  readonly #slow: ConnectionPool;
  readonly #writes: ConnectionPool;
  readonly #dml: Dml;
  readonly #reader: Reader;
  readonly #writer: Writer;
  readonly #guard: SchemaState;

  constructor(options: ConnectionOptions, tables: readonly Table[], guard: SchemaState) {
    const dml = new Dml(tables, postgresDialect);
    this.#dml = dml;
    this.#guard = guard;
    this.#reader = new Reader(dml, (statement, queryOptions) => this.#query(statement, queryOptions));
    this.#writer = new Writer(dml, this.#names);
    const open = (onEnd: (connection: Connection) => void): Promise<Connection> => connect(options, onEnd);
    const quick = Math.max(1, Math.floor(options.poolSize * 0.3));
    this.#quick = new ConnectionPool(open, quick, pipelineDepth);
    this.#slow = new ConnectionPool(open, 1, 1);
    this.#writes = new ConnectionPool(open, options.poolSize - quick - 1, 1);
  }

  async get(table: string, id: string): Promise<string | undefined> {
    return isStorable(id) ? this.#reader.get(table, id) : undefined;
  }

  only(table: string): Promise<string> {
    return this.#reader.only(table);
  }

  async list(table: string, page: Page): Promise<Listing | undefined> {
    const { where = {}, after = '' } = page;
    const needsRecord = after !== '' && this.#dml.of(table).table.parent !== undefined;
    if (!Object.values(where).every(isStorable)) {
      return needsRecord ? undefined : { total: 0, hasMore: false, items: '' };
    }
    if (isStorable(after)) return this.#reader.list(table, page);
    if (needsRecord) return undefined;
    // The ids after this cursor are those after its beginning.
    return this.#reader.list(table, { ...page, after: after.slice(0, after.indexOf('\0')) });
  }

  async write(write: Write): Promise<WriteResult> {
    if ('id' in write && !isStorable(write.id)) return { outcome: 'not_found', id: write.id };
    for (let attempt = 1; ; attempt++) {
      try {
        if (!this.#guard.isReady) await this.#guard.ready();
        return await this.#writes.use((connection) => this.#attempt(connection, write));
      } catch (error) {
        if (!this.#mayRetry(error, attempt)) throw this.#asApiError(error);
        await pause(Math.random() * 2 ** attempt);
      }
    }
  }

  async check(): Promise<void> {
    await this.#query({ text: 'select 1', values: [] });
  }

  async close(): Promise<void> {
    await Promise.all([this.#quick, this.#slow, this.#writes].map((pool) => pool.close()));
  }

  async #query({ text, values }: Statement, { isSlow = false, isBytes = false }: QueryOptions = {}): Promise<Row[]> {
    const pool = isSlow ? this.#slow : this.#quick;
    const query = { text, name: this.#names.of(text), isBytes };
    for (let attempt = 1; ; attempt++) {
      try {
        if (!this.#guard.isReady) await this.#guard.ready();
        return await pool.use((connection) => connection.query(query, values));
      } catch (error) {
        const mayRetry = isOutcomeUnknown(error) || isConnectInterrupted(error) || isConflict(error);
        if (!mayRetry || attempt === readAttempts) throw this.#asApiError(error);
      }
    }
  }

  /** Whether a failed write was certainly not executed, and may succeed now. */
  #mayRetry(error: unknown, attempt: number): boolean {
    if (isReadOnly(error) && attempt === 1) this.#writes.destroyIdle();
    return (
      (isConflict(error) && attempt < writeAttempts) ||
      (isConnectInterrupted(error) && attempt < readAttempts) ||
      (isReadOnly(error) && attempt === 1)
    );
  }

  #asApiError(error: unknown): unknown {
    if (isSchemaOutdated(error)) this.#guard.doubt();
    return asUnavailable(error);
  }

  async #attempt(connection: Connection, write: Write): Promise<WriteResult> {
    try {
      return await this.#writer.run(connection, write);
    } catch (error) {
      // Not retried: the write might be executed twice.
      if (isOutcomeUnknown(error)) {
        connection.destroy();
        throw unavailable('The database did not confirm the write: it may have been done or not.', error);
      }
      // A new connection may reach a server that accepts writes.
      if (isReadOnly(error)) connection.destroy();
      // A transaction may be open.
      else await connection.query({ text: 'rollback' }).catch(() => connection.destroy());
      throw error;
    }
  }
}

/** PostgreSQL cannot store U+0000: no id or parent contains it. */
const isStorable = (value: Value): boolean => typeof value !== 'string' || !value.includes('\0');
