import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { BoundedMap } from '../records/bounded-map.ts';
import type { Statement, TableSql, Values } from '../sql/table-sql.ts';
import type { Row } from '../sql/steps.ts';
import { primaryCode, tooBig } from './failure.ts';

/** Prepared statements cached for a connection. */
const maxPrepared = 1_000;

// node:sqlite accepts no booleans and no lists.
const bind = (value: Values[number]): SQLInputValue => {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return typeof value === 'boolean' ? Number(value) : value;
};

/** A connection with its prepared statements. Rows are arrays. */
export class PreparedStatements {
  readonly database: DatabaseSync;
  readonly #statements = new BoundedMap<string, StatementSync>(maxPrepared);

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  /** Executes a statement without parameters; returns its first row. */
  run(text: string): Row | undefined {
    return this.get({ text, values: [] });
  }

  all({ text, values }: Statement): Row[] {
    return this.#prepare(text).all(...values.map(bind)) as unknown as Row[];
  }

  /** The first row. */
  get({ text, values }: Statement): Row | undefined {
    return this.#prepare(text).get(...values.map(bind)) as unknown as Row | undefined;
  }

  /** The first row, unless it is read from a value, or has one, with more bytes than this. */
  getWithin(statement: Statement, maxBytes = Infinity): Row | undefined | 'too long' {
    const { limits } = this.database;
    limits.length = maxBytes;
    try {
      return this.get(statement);
    } catch (error) {
      if (primaryCode(error) === tooBig) return 'too long';
      throw error;
    } finally {
      limits.length = Infinity;
    }
  }

  /** Ends a transaction. SQLite ends it by itself at some errors. */
  rollback(): void {
    if (this.database.isTransaction) this.run('rollback');
  }

  #prepare(text: string): StatementSync {
    let statement = this.#statements.get(text);
    if (!statement) {
      statement = this.database.prepare(text);
      statement.setReturnArrays(true);
      this.#statements.set(text, statement);
    }
    return statement;
  }
}

/** Bytes that may be enough for a record for which fewer were not. */
export function enoughFor(statements: PreparedStatements, sql: TableSql, id: string, maxBytes: number): number {
  // Numbers are counted as if they were short.
  return Math.max(Number(statements.get(sql.bytesBeyond(id, maxBytes))?.[0] ?? 0), Math.ceil(maxBytes * 1.1));
}

/** The bytes that the engine returns, without a copy. */
export function bufferOf(bytes: unknown): Buffer | undefined {
  if (!(bytes instanceof Uint8Array)) return undefined;
  return Buffer.from(bytes.buffer as ArrayBuffer, bytes.byteOffset, bytes.byteLength);
}
