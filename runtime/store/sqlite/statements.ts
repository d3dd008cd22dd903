import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Value } from '../../schema/fields.ts';
import type { Table } from '../../schema/table.ts';
import { quote } from '../ddl.ts';

// Node's SQLite has no booleans: 0 and 1 go in and come out.
/** A value as Node's SQLite takes it. */
export const bind = (value: Value): SQLInputValue => (typeof value === 'boolean' ? Number(value) : value);

/** The expression that builds a record's JSON text. */
function recordJson(table: Table): string {
  const pairs = table.columns.map(({ name, type }) => {
    const value = quote(name);
    const json = type === 'boolean' ? `case ${value} when 1 then json('true') when 0 then json('false') end` : value;
    return `'${name}', ${json}`;
  });
  return `json_object(${pairs.join(', ')})`;
}

/** Bytes of JSON above which a record is long: on a page it is sent by itself. */
const longText = 16_384;

/**
 * Records whose JSON another statement gives as `j`: as bytes where it is long, so that no string of it lingers in memory.
 * That statement must have a limit, for without one SQLite builds the JSON once for every time that it is named here.
 */
export const selectPieces = (records: string): string =>
  `select iif(octet_length(j) > ${longText}, cast(j as blob), j) from (${records})`;

/** The statements of one table, prepared when first used. `children` are the tables of its line items. */
export class Statements {
  readonly table: Table;
  readonly children: readonly Table[];
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<string, StatementSync>();
  readonly #json: string;
  #get: StatementSync | undefined;

  constructor(database: DatabaseSync, table: Table, children: readonly Table[]) {
    this.#database = database;
    this.table = table;
    this.children = children;
    this.#json = recordJson(table);
  }

  /** A prepared statement whose rows come as arrays; `sql` gets the quoted table and the JSON of a record. */
  prepare(key: string, sql: (table: string, json: string) => string): StatementSync {
    let statement = this.#prepared.get(key);
    if (!statement) {
      // Updates of many different sets of fields must not fill the memory with statements.
      if (this.#prepared.size >= 200) this.#prepared.delete(this.#prepared.keys().next().value as string);
      statement = this.#database.prepare(sql(quote(this.table.name), this.#json));
      statement.setReturnArrays(true);
      this.#prepared.set(key, statement);
    }
    return statement;
  }

  /** The first column of the first row. */
  one(key: string, sql: (table: string, json: string) => string, ...values: Value[]): unknown {
    const row = this.prepare(key, sql).get(...values.map(bind)) as unknown as unknown[] | undefined;
    return row?.[0];
  }

  /** The record with this id: as bytes of UTF-8 where its JSON is long. */
  piece(id: string): string | Uint8Array | undefined {
    return this.one(
      'piece',
      (table, json) => selectPieces(`select ${json} as j from ${table} where "id" = ? limit 1`),
      id,
    ) as string | Uint8Array | undefined;
  }

  get(id: string): string | undefined {
    // The most frequent of all, kept at hand.
    this.#get ??= this.prepare('get', (table, json) => `select ${json} from ${table} where "id" = ?`);
    return (this.#get.get(id) as unknown as [string] | undefined)?.[0];
  }
}

/** The statements of each table, by its name, on one connection. */
export function statementsOf(database: DatabaseSync, tables: readonly Table[]): (table: string) => Statements {
  const byName = new Map(
    tables.map((table) => {
      const children = tables.filter(({ parent }) => parent?.table === table.name);
      return [table.name, new Statements(database, table, children)];
    }),
  );
  return (name) => {
    const statements = byName.get(name);
    if (!statements) throw new Error(`The store was opened without a table "${name}".`);
    return statements;
  };
}
