import { DatabaseSync } from 'node:sqlite';
import type { Database } from '../../runtime/migrations/types.ts';
import { PostgresDatabase } from '../../runtime/migrations/postgres.ts';
import { SqliteDatabase } from '../../runtime/migrations/sqlite.ts';
import type { Value } from '../../runtime/kernel/model/fields.ts';
import { mainOrganization, organizationColumn, quote } from '../../runtime/kernel/sql/schema.ts';
import { readConnectionOptions } from '../../runtime/engines/postgres/connection-options.ts';
import { connect, type Connection } from '../../runtime/engines/postgres/connection.ts';

type Row = Record<string, Value>;

/** A database of one engine, without a store: its schema, and rows as they are stored. */
export interface Schema extends AsyncDisposable {
  readonly database: Database;
  readonly exec: (sql: string) => Promise<void>;
  /** Rows with the values that the columns of these types hold. */
  readonly rows: (sql: string, types: readonly string[]) => Promise<Value[][]>;
}

/** Inserts a row as any program may. */
export function insert(name: string, row: Row): string {
  const literals = Object.values(row).map((value) =>
    typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value),
  );
  const columns = [organizationColumn, ...Object.keys(row)].map(quote);
  return `insert into ${quote(name)} (${columns.join(', ')}) values (${[mainOrganization, ...literals].join(', ')})`;
}

export function sqliteSchema(): Schema {
  const database = new DatabaseSync(':memory:');
  return {
    database: new SqliteDatabase(database),
    exec: async (sql) => database.exec(sql),
    rows: async (sql, types) => {
      const statement = database.prepare(sql);
      statement.setReturnArrays(true);
      const rows = statement.all() as unknown as Value[][];
      return rows.map((row) => row.map((value, i) => (value !== null && types[i] === 'boolean' ? value === 1 : value)));
    },
    [Symbol.asyncDispose]: async () => database.close(),
  };
}

let schemas = 0;

/** A schema of its own in a PostgreSQL database. */
export async function postgresSchema(url: string): Promise<Schema> {
  const connection: Connection = await connect(readConnectionOptions(url));
  const name = `own_${process.pid}_${schemas++}`;
  const exec = async (text: string): Promise<void> => void (await connection.query(text));
  await exec(`create schema ${name}`);
  await exec(`set search_path = ${name}`);
  const valueOf = (text: string | null, type: string | undefined): Value => {
    if (text === null || type === 'text') return text;
    return type === 'boolean' ? text === 't' : Number(text);
  };
  return {
    database: new PostgresDatabase(connection, 1_000),
    exec,
    rows: async (text, types) =>
      (await connection.query(text)).map((row) => row.map((value, i) => valueOf(value, types[i]))),
    [Symbol.asyncDispose]: async () => {
      await exec(`drop schema ${name} cascade`);
      await connection.end();
    },
  };
}
