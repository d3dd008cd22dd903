import { LRUCache } from 'lru-cache';
import type { Table } from '../../schema/table.ts';
import { literal, parentPrefix, quote, rowCounters } from '../ddl.ts';
import type { Statement } from './connection.ts';

/** How many totals the rows of a record's table are spread over: so many writers need not wait for each other. */
export const shards = 32;

/** Updates of so many different sets of columns are remembered, to have a name when they come again. */
const rememberedShapes = 500;

const total = quote(rowCounters);

/** So much of a parent as indexes know. */
export const indexedParent = (field: string): string => `left(${field}, ${parentPrefix})`;

/** Names statements for the server to keep their plans, each text under one name for all connections. */
export class Names {
  readonly #statements = new Map<string, Statement>();
  readonly #shapes = new LRUCache<string, { statement: Statement | undefined }>({ max: rememberedShapes });
  #count = 0;

  /** A statement that there are few of. */
  of(key: string, sql: () => string): Statement {
    let statement = this.#statements.get(key);
    if (!statement) {
      statement = this.#named(sql());
      this.#statements.set(key, statement);
    }
    return statement;
  }

  /** A statement of which there may be any number: it gets a name when it comes the second time. */
  ofMany(key: string, sql: () => string): Statement {
    const shape = this.#shapes.get(key);
    if (shape) return (shape.statement ??= this.#named(sql()));
    this.#shapes.set(key, { statement: undefined });
    return { text: sql() };
  }

  #named(text: string): Statement {
    return { text, name: `s${++this.#count}` };
  }
}

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

  /** A statement of this table; `key` says which. */
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

  /** Reads the JSON text of the rows that `rest` says: everything behind the name of the table. */
  json(rest: string): string {
    return `select row_to_json(r)::text from (select ${this.columns} from ${this.name} ${rest}) r`;
  }

  /** Adds to a total, which need not be there: `from` gives its parent and the number, and one row or none. */
  count(parent: string, shard: string, rows: number, from: string): string {
    return (
      `insert into ${total} select ${literal(this.table.name)}, ${parent}, ${shard}, ${rows} ${from} ` +
      `on conflict ("table", "parent", "shard") do update set "count" = ${total}."count" + excluded."count"`
    );
  }

  /**
   * Which line items have this parent, by the index. Where its beginning is all of it that is all: a second condition on
   * the same column would let the planner expect one row, and sort what the index has in order.
   */
  isOf(parent: string): string {
    const field = quote(this.table.parent?.field ?? '');
    return (
      `${indexedParent(field)} = ${indexedParent(parent)} ` +
      `and (length(${parent}) < ${parentPrefix} or ${field} = ${parent})`
    );
  }

  /** Which rows of the totals are those of a parent. */
  totalOf(parent: string): string {
    return `"table" = ${literal(this.table.name)} and "parent" = ${parent}`;
  }
}
