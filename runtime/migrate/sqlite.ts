import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { CliError } from '../errors.ts';
import { type Counted, literal, parentPrefix, quote, rebuildCounter, rowCounters } from '../store/ddl.ts';
import { busy, cannotUse, primaryCode } from '../store/sqlite/failure.ts';
import { isClaimed, valueOf } from '../store/sqlite/identity.ts';
import { openDatabase } from '../store/sqlite/open.ts';
import { type Database, inTransaction } from './driver.ts';
import type { Step } from './plan.ts';
import { type ActualSchema, type ColumnRow, type IndexRow, schemaOf, selectCounted } from './schema.ts';
import { defineConverted, sqliteDialect } from './sqlite-convert.ts';

/** An exclusive step found other connections. */
export class NotAlone extends CliError {
  constructor() {
    super(
      'The schema change (a rename, a drop or a conversion) would break the other programs that have the database open. ' +
        'Stop the other servers of this database, then try again.',
    );
  }
}

const rowsOf = <T extends unknown[]>(connection: DatabaseSync, sql: string): T[] => {
  const statement = connection.prepare(sql);
  statement.setReturnArrays(true);
  return statement.all() as unknown as T[];
};

export function readSchema(connection: DatabaseSync): ActualSchema {
  const columns = rowsOf<ColumnRow>(
    connection,
    `select t.name, c.name, c.type, iif(c."notnull" and c.dflt_value is null, 1, null), null
      from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table' order by t.rowid, c.cid`,
  );
  const indexColumns = rowsOf<IndexRow>(
    connection,
    `select i.name, c.name, null from sqlite_schema i, pragma_index_info(i.name) c
      where i.type = 'index' and i.sql is not null order by i.rowid, c.seqno`,
  );
  const isNew = !columns.some(([table]) => table === rowCounters);
  return schemaOf(columns, indexColumns, isNew ? [] : rowsOf(connection, selectCounted));
}

/** Whether the row counters of a table differ from its number of rows. */
export function isMiscounted(connection: DatabaseSync, { name, parent }: Counted): boolean {
  const field = parent ? quote(parent.field) : "''";
  const actual =
    `select ${field}, count(*) as "rows" from ${quote(name)} ` +
    (parent ? `where length(${field}) < ${parentPrefix} group by ${field}` : 'having "rows" > 0');
  const counted =
    `select "parent", sum("count") as "rows" from ${quote(rowCounters)} ` +
    `where "table" = ${literal(name)} group by "parent" having "rows" <> 0`;
  const differs = (one: string, other: string): string =>
    `exists (select * from (${one}) except select * from (${other}))`;
  return valueOf(connection, `select ${differs(actual, counted)} or ${differs(counted, actual)}`) === 1;
}

function restoreWal(connection: DatabaseSync): void {
  try {
    connection.exec('pragma journal_mode = wal');
  } catch (error) {
    // A connection that has just opened the file is setting it.
    if (primaryCode(error) !== busy) throw error;
  }
}

/** An SQLite file. An attempt is one transaction; incompatible steps run while no other connection has the file open. */
export class SqliteDatabase implements Database {
  readonly isAtomic = true;
  readonly #connection: DatabaseSync;

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
    defineConverted(connection);
  }

  async query(sql: string): Promise<unknown[][]> {
    return rowsOf(this.#connection, sql);
  }

  async readSchema(): ReturnType<Database['readSchema']> {
    return { actual: readSchema(this.#connection), dialect: sqliteDialect };
  }

  attempt<T>(work: () => Promise<T>): Promise<T> {
    return inTransaction(async (sql) => this.#connection.exec(sql), 'begin immediate', work);
  }

  /** @throws NotAlone if another connection, of this process or another, has the file open */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    const connection = this.#connection;
    connection.exec('pragma locking_mode = exclusive');
    try {
      // Only the last connection can leave WAL mode: https://www.sqlite.org/wal.html
      connection.exec('pragma journal_mode = delete');
      return await work();
    } catch (error) {
      throw primaryCode(error) === busy ? new NotAlone() : error;
    } finally {
      connection.exec('pragma locking_mode = normal');
      restoreWal(connection);
    }
  }

  async apply({ statements }: Step): Promise<void> {
    for (const statement of statements) this.#connection.exec(statement);
  }

  recount(table: Counted): Promise<boolean> {
    return this.attempt(async () => {
      if (!isMiscounted(this.#connection, table)) return false;
      for (const statement of rebuildCounter(table)) this.#connection.exec(statement);
      return true;
    });
  }
}

/**
 * Runs `work` on an SQLite file. A missing file is created in mode `write`; in mode `read` it is an empty database.
 *
 * @throws CliError if the file cannot be used
 */
export async function withSqlite<T>(
  file: string,
  service: string,
  mode: 'read' | 'write',
  work: (database: Database) => Promise<T>,
): Promise<T> {
  try {
    const name = existsSync(file) ? file : ':memory:';
    const options = { readOnly: true, timeout: 2_000 };
    using connection = mode === 'write' ? await openDatabase(file, service) : new DatabaseSync(name, options);
    // Fails for the file of another program.
    isClaimed(connection, file, service);
    return await work(new SqliteDatabase(connection));
  } catch (error) {
    throw cannotUse(file, error);
  }
}
