import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { BoundedMap } from '../../kernel/records/bounded-map.ts';
import type { Row, Statement, Values } from '../../kernel/sql/types.ts';
import { primaryCode, resultCodes } from './failure.ts';
import { cacheEntries } from '../../kernel/records/limits.ts';

/** The value of a parameter as node:sqlite takes it, which accepts no booleans and no lists. */
export const bound = (value: Values[number]): SQLInputValue => {
  if (typeof value === 'object' && value !== null) return JSON.stringify(value);
  return typeof value === 'boolean' ? Number(value) : value;
};

/** A connection with its prepared statements. Rows are arrays. */
export class PreparedStatements {
  readonly database: DatabaseSync;
  readonly #statements = new BoundedMap<string, StatementSync>(cacheEntries);

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  /** Executes a statement without parameters; returns its first row. */
  run(text: string): Row | undefined {
    return this.get({ text, values: [] });
  }

  all({ text, values }: Statement): Row[] {
    return this.#prepare(text).all(...values.map(bound)) as unknown as Row[];
  }

  /** The first row. */
  get({ text, values }: Statement): Row | undefined {
    return this.#prepare(text).get(...values.map(bound)) as unknown as Row | undefined;
  }

  /** The first row; undefined if it is read from a value, or has one, with more bytes than this. */
  getWithin(statement: Statement, maxBytes: number): { readonly row: Row | undefined } | undefined {
    const { limits } = this.database;
    limits.length = maxBytes;
    try {
      return { row: this.get(statement) };
    } catch (error) {
      if (primaryCode(error) === resultCodes.tooBig) return undefined;
      throw error;
    } finally {
      limits.length = Infinity;
    }
  }

  /** Ends a transaction, if one is open. SQLite ends it by itself at some errors. */
  rollback(): void {
    if (this.database.isOpen && this.database.isTransaction) this.run('rollback');
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
