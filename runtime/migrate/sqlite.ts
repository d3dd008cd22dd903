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

/** The file is open elsewhere, and what is to be done needs it alone. */
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

/** The schema that a database has. */
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

/** Whether the counters of a table give another number of rows than there are. */
export function isMiscounted(connection: DatabaseSync, { name, parent }: Counted): boolean {
  const field = parent ? quote(parent.field) : "''";
  const found =
    `select ${field}, count(*) as "rows" from ${quote(name)} ` +
    (parent ? `where length(${field}) < ${parentPrefix} group by ${field}` : 'having "rows" > 0');
  const counted =
    `select "parent", sum("count") as "rows" from ${quote(rowCounters)} ` +
    `where "table" = ${literal(name)} group by "parent" having "rows" <> 0`;
  const differs = (one: string, other: string): string =>
    `exists (select * from (${one}) except select * from (${other}))`;
  return valueOf(connection, `select ${differs(found, counted)} or ${differs(counted, found)}`) === 1;
}

function restoreWal(connection: DatabaseSync): void {
  try {
    connection.exec('pragma journal_mode = wal');
  } catch (error) {
    // Another connection that has just opened the file is doing so.
    if (primaryCode(error) !== busy) throw error;
  }
}

/** An SQLite file: an attempt is one transaction, and what other servers would fail on happens while none has it open. */
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

  /** @throws NotAlone where another connection, of this process or another, has the file open */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    const connection = this.#connection;
    connection.exec('pragma locking_mode = exclusive');
    try {
      // A database leaves the WAL journal for its last connection only: https://www.sqlite.org/wal.html
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
 * Works with an SQLite file. To write, it is created where there is none; to read, an empty database stands for it then.
 *
 * @throws CliError where the file cannot be used.
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
    // It may belong to another program.
    isClaimed(connection, file, service);
    return await work(new SqliteDatabase(connection));
  } catch (error) {
    throw cannotUse(file, error);
  }
}
