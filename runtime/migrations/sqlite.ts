import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { CliError } from '../kernel/model/errors.ts';
import { sqliteDialect as queryDialect } from '../engines/sqlite/dialect.ts';
import { cannotUse, primaryCode, resultCodes } from '../engines/sqlite/failure.ts';
import { lockTimeout } from '../engines/sqlite/limits.ts';
import { isClaimed, openDatabase } from '../engines/sqlite/open.ts';
import { bound } from '../engines/sqlite/prepared-statements.ts';
import type { Values } from '../kernel/sql/types.ts';
import type { Database } from './types.ts';
import { inTransaction } from './transact.ts';
import { readActualSchema } from './schema.ts';
import { defineFunction, sqliteDialect } from './sqlite-dialect.ts';

/** An exclusive step found other connections. */
export class NotAlone extends CliError {
  constructor() {
    super(
      'The schema change (a rename, a drop, a conversion or the end of a search) would break the other programs that have the database open. ' +
        'Stop the other servers of this database, then try again.',
    );
  }
}

/** A feature may keep up an index by triggers: the one with the name of the index ends in 12 digits of a hash. */
const catalog = {
  columns: `select t.name, c.name, lower(c.type)
    from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table' order by t.rowid, c.cid`,
  indexColumns: `select i.name, c.name, null from sqlite_schema i, pragma_index_info(i.name) c
    where i.type = 'index' and i.sql is not null
    union all select name, tbl_name, null from sqlite_schema where type = 'trigger' and name glob '*.${'[0-9a-f]'.repeat(12)}'`,
  foreignKeys: `select '', t.name, k."from", k."table", null from sqlite_schema t, pragma_foreign_key_list(t.name) k
    where t.type = 'table' and k.seq = 1 order by t.name, k.id`,
};

/** An SQLite file. An attempt is one transaction; incompatible steps run while no other connection has the file open. */
export class SqliteDatabase implements Database {
  readonly isAtomic = true;
  readonly dialect = queryDialect;
  readonly #connection: DatabaseSync;

  constructor(connection: DatabaseSync) {
    this.#connection = connection;
    defineFunction(connection);
  }

  async query(sql: string, values: Values = []): Promise<unknown[][]> {
    return this.#connection.prepare(sql, { returnArrays: true }).all(...values.map(bound)) as unknown as unknown[][];
  }

  async readSchema(): ReturnType<Database['readSchema']> {
    return { actual: await readActualSchema((sql) => this.query(sql), catalog), dialect: sqliteDialect };
  }

  /** @throws NotAlone if it is exclusive and another connection, of this process or another, has the file open */
  async attempt<T>(work: () => Promise<T>, isExclusive = false): Promise<T> {
    const transact = (): Promise<T> => inTransaction(this, 'begin immediate', work);
    if (!isExclusive) return transact();
    this.#connection.exec('pragma locking_mode = exclusive');
    try {
      // Only the last connection can leave WAL mode: https://www.sqlite.org/wal.html
      this.#connection.exec('pragma journal_mode = delete');
      return await transact();
    } catch (error) {
      throw primaryCode(error) === resultCodes.busy ? new NotAlone() : error;
    } finally {
      this.#connection.exec('pragma locking_mode = normal');
      this.#restoreWal();
    }
  }

  #restoreWal(): void {
    try {
      this.#connection.exec('pragma journal_mode = wal');
    } catch (error) {
      // A connection that has just opened the file is setting it.
      if (primaryCode(error) !== resultCodes.busy) throw error;
    }
  }

  async apply(...[{ statements }, prepare]: Parameters<Database['apply']>): Promise<void> {
    const run = async (statement: string): Promise<void> => this.#connection.exec(statement);
    await prepare?.(run);
    for (const statement of statements) await run(statement);
  }

  whenComplete(work: (database: Database) => Promise<void>): Promise<void> {
    return work(this);
  }

  /** The transaction of an attempt is the only one that writes. */
  async lockTable(): Promise<void> {}
}

/**
 * Runs `work` on an SQLite file. A missing file is created in mode `create`; in mode `read` it is an empty database.
 *
 * @throws CliError if the file cannot be used
 */
export async function withSqlite<T>(
  file: string,
  service: string,
  mode: 'read' | 'write' | 'create',
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const isThere = existsSync(file);
  if (mode === 'write' && !isThere) throw new CliError(`There is no database ${file}. A start of the server makes it.`);
  try {
    using connection =
      mode === 'read'
        ? new DatabaseSync(isThere ? file : ':memory:', { readOnly: true, timeout: lockTimeout })
        : await openDatabase(file, service);
    // Fails for the file of another program.
    isClaimed(connection, file, service);
    return await work(new SqliteDatabase(connection));
  } catch (error) {
    throw cannotUse(file, error);
  }
}
