import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Table } from '../../schema/table.ts';
import { literal, parentPrefix, quote, rowCounters } from '../ddl.ts';
import type { Statement } from './connection.ts';

/** Shards of the row counter of a record's table: so many writers need not wait for each other. */
export const shards = 32;

/** Statements that depend on the request and are cached: sets of columns to update, kinds of pages. */
const maxCached = 500;

const total = quote(rowCounters);

/** The prefix of a parent that indexes hold. */
export const indexedParent = (field: string): string => `left(${field}, ${parentPrefix})`;

/**
 * Builds each statement once and names it for the server to keep its plan. The name is a hash of the text: behind a
 * pooler, processes with other statements use the same sessions.
 */
export class Names {
  readonly #statements = new Map<string, Statement>();
  readonly #recent = new LRUCache<string, { statement: Statement | undefined }>({ max: maxCached });

  /** One of a fixed set of statements. */
  of(key: string, sql: () => string): Statement {
    let statement = this.#statements.get(key);
    if (!statement) {
      statement = named(sql());
      this.#statements.set(key, statement);
    }
    return statement;
  }

  /** One of any number of statements: it is prepared from its second use on. */
  ofMany(key: string, sql: () => string): Statement {
    const recent = this.#recent.get(key);
    if (recent) return (recent.statement ??= named(sql()));
    this.#recent.set(key, { statement: undefined });
    return { text: sql() };
  }
}

const named = (text: string): Statement => ({ text, name: hash('sha256', text, 'base64url').slice(0, 22) });

/** The SQL of one table. `children` are the tables of its line items. */
export class Statements {
  readonly table: Table;
  readonly children: readonly Table[];
  readonly #names: Names;
  /** The table's name, quoted. */
  readonly name: string;
  /** The columns of a record, in its order. */
  readonly columns: string;

  constructor(names: Names, table: Table, children: readonly Table[]) {
    this.#names = names;
    this.table = table;
    this.children = children;
    this.name = quote(table.name);
    this.columns = table.columns.map((column) => quote(column.name)).join(', ');
  }

  /** A statement of this table, identified by `key`. */
  of(key: string, sql: () => string): Statement {
    return this.#names.of(`${this.table.name} ${key}`, sql);
  }

  ofMany(key: string, sql: () => string): Statement {
    return this.#names.ofMany(`${this.table.name} ${key}`, sql);
  }

  /** The JSON text of a row. */
  get rowJson(): string {
    return `(select row_to_json(r)::text from (select ${this.columns}) r)`;
  }

  /** Reads the JSON text of rows; `rest` follows the name of the table. */
  json(rest: string): string {
    return `select row_to_json(r)::text from (select ${this.columns} from ${this.name} ${rest}) r`;
  }

  /** Adds to a row counter, or creates it; `from` supplies one row or none. */
  count(parent: string, shard: string, rows: number, from: string): string {
    return (
      `insert into ${total} select ${literal(this.table.name)}, ${parent}, ${shard}, ${rows} ${from} ` +
      `on conflict ("table", "parent", "shard") do update set "count" = ${total}."count" + excluded."count"`
    );
  }

  /**
   * Condition for the line items of a parent, by the index. A parent shorter than the indexed prefix needs no second
   * condition: it would let the planner expect one row, and sort what the index has in order.
   */
  isOf(parent: string): string {
    const field = quote(this.table.parent?.field ?? '');
    return (
      `${indexedParent(field)} = ${indexedParent(parent)} ` +
      `and (length(${parent}) < ${parentPrefix} or ${field} = ${parent})`
    );
  }

  /** Condition for the row counters of a parent. */
  totalOf(parent: string): string {
    return `"table" = ${literal(this.table.name)} and "parent" = ${parent}`;
  }
}
