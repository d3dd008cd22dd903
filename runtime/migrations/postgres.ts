import { setTimeout as pause } from 'node:timers/promises';
import { CliError } from '../model/errors.ts';
import { type Counted, quote, rowCounters } from '../sql/schema.ts';
import { readConnectionOptions } from '../postgres/connection-options.ts';
import { type Connection, type Values, withConnection } from '../postgres/connection.ts';
import { CannotConnect, ConnectionLost, sqlState } from '../postgres/failure.ts';
import { searchColumn } from '../sql/search.ts';
import { indexedParent, orderedColumn, postgresWords } from '../postgres/dialect.ts';
import { distributeTable, readDistributed } from './distribute.ts';
import { type Database, inTransaction } from './driver.ts';
import type { MigrationDialect, Step } from './plan.ts';
import { addOrganization, convert, isConvertible } from './postgres-convert.ts';
import { recountTable } from './postgres-recount.ts';
import { readActualSchema } from './schema.ts';

/** Milliseconds that a step waits for a lock. Other statements on its table wait behind it. */
const lockTimeout = 500;

/** Milliseconds that a concurrent change of an index waits for other transactions, which do not wait for it. */
const indexTimeout = 60_000;

/** Milliseconds between two looks at whether others still build indexes, on average. */
const buildInterval = 200;

/** Milliseconds for which `npm run migrate` retries while other transactions lock the tables. */
const commandTimeout = 60_000;

/** The plan is no longer valid: others have built indexes meanwhile. */
class Outdated extends Error {}

const hasState = (error: unknown, states: RegExp): boolean => states.test(sqlState(error) ?? '');

/**
 * A race with another change of the schema: a table or column was created, renamed or dropped meanwhile; or with a write
 * to a column that had to be empty (23514, check violation).
 */
const isRace = (error: unknown): boolean => hasState(error, /^(?:23505|23514|42P07|42701|42710|42P01|42703|42704)$/);

/**
 * Whether a failed step may succeed after planning again: it failed in a race, or in a conflict with other transactions
 * (serialization failure, deadlock, lock timeout, "tuple concurrently updated").
 */
export const isRetryable = (error: unknown): boolean =>
  isRace(error) ||
  hasState(error, /^(?:40001|40P01|55P03)$/) ||
  (hasState(error, /^XX000$/) && /^(?:tuple concurrently|could not serialize) /.test((error as Error).message));

/** The check takes the exclusive lock of its table, and is gone with its column. */
const requireEmpty: MigrationDialect['requireEmpty'] = (table, column) => [
  `alter table ${quote(table)} add check (${quote(column)} is null)`,
];

const createSearch: MigrationDialect['createSearch'] = (search, concurrently) => [
  `create index${concurrently && ` ${concurrently}`} ${quote(search.name)}\n` +
    // With pending words, each search would read all of them.
    `  on ${quote(search.table)} using gin (${quote(searchColumn)}) with (fastupdate = off)`,
];

const dropSearch: MigrationDialect['dropSearch'] = (name) => ({
  kind: 'addition',
  isIndex: true,
  statements: [`drop index concurrently if exists ${quote(name)}`],
});

const renameSearch = (former: string, name: string): Step => ({
  kind: 'addition',
  isIndex: true,
  statements: [`alter index if exists ${quote(former)} rename to ${quote(name)}`],
});

/** Bytes of a text and an id that an index holds together: a third of a page, without what a row of it has besides. */
const maxIndexed = 2_660;

/** The length of a text is known without reading it, and the bytes that it takes when it is compressed, as indexes do. A later step may convert the column to a text. */
const findTooLong: NonNullable<MigrationDialect['findTooLong']> = (table, column) =>
  `select "id" from ${quote(table)} where octet_length(cast(${quote(column)} as text)) + octet_length("id") > ${maxIndexed} ` +
  `and pg_column_size(${quote(column)}) + octet_length("id") > ${maxIndexed} order by "id" limit 11`;

/** The planner's view of a database, by default of one without tables. */
export const postgresDialect = (
  byBytes = 'collate "C"',
  keys: ReadonlyMap<string, string> = new Map(),
  isDistributed = false,
): MigrationDialect => ({
  byBytes,
  concurrently: 'concurrently',
  indexedParent,
  orderedColumn,
  createSearch,
  dropSearch,
  renameSearch,
  wordsType: postgresWords.type,
  convert,
  isConvertible,
  requireEmpty,
  findTooLong,
  addOrganization: addOrganization(keys),
  distribute: (table) => (isDistributed ? [distributeTable(table)] : []),
});

const catalog = {
  columns: `select c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attnotnull and not a.atthasdef then true end,
      case when a.attname = 'id' and 'B'::text >= 'a'::text and coalesce(l.collname, '') not in ('C', 'POSIX') then true end, null
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    join pg_catalog.pg_attribute a on a.attrelid = c.oid
    left join pg_catalog.pg_collation l on l.oid = a.attcollation
    where n.nspname = current_schema() and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`,
  // The index holds the prefix of a parent's id: `"left"(bom_id, 500)`.
  indexColumns: `select i.relname, coalesce(a.attname::text, substring(
        pg_get_indexdef(x.indexrelid, k.ordinal::int, true) from '^"?left"?[(]"?([^"]+)"?, [0-9]+[)]$')),
      case when not x.indisvalid then true end
    from pg_catalog.pg_index x
    cross join lateral unnest(x.indkey) with ordinality k(attnum, ordinal)
    join pg_catalog.pg_class i on i.oid = x.indexrelid
    join pg_catalog.pg_namespace n on n.oid = i.relnamespace
    left join pg_catalog.pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.attnum
    where n.nspname = current_schema() and not x.indisprimary
    order by i.relname, k.ordinal`,
};

const primaryKeys = `select c.relname, k.conname from pg_catalog.pg_constraint k
  join pg_catalog.pg_class c on c.oid = k.conrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = current_schema() and k.contype = 'p'`;

/** The owner of the tables sees here which sessions build their indexes, also concurrently. */
const builds = `select 1 from pg_catalog.pg_stat_progress_create_index p
  join pg_catalog.pg_class c on c.oid = p.relid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where p.datname = current_database() and n.nspname = current_schema() limit 1`;

const validIndex = `select 1 from pg_catalog.pg_index x
  join pg_catalog.pg_class i on i.oid = x.indexrelid
  join pg_catalog.pg_namespace n on n.oid = i.relnamespace
  where n.nspname = current_schema() and i.relname = $1 and x.indisvalid`;

/** A PostgreSQL database. Each step is a transaction; attempts are repeated after conflicts with other transactions. */
export class PostgresDatabase implements Database {
  readonly isAtomic = false;
  readonly words = postgresWords;
  readonly #connection: Connection;
  readonly #timeout: number;
  /** The schema that the last plan began with. */
  #schema = '';

  /** @param timeout milliseconds during which attempts are repeated */
  constructor(connection: Connection, timeout: number) {
    this.#connection = connection;
    this.#timeout = timeout;
  }

  query(text: string, values: Values = []): Promise<(string | null)[][]> {
    return this.#connection.query({ text }, values);
  }

  async readSchema(): ReturnType<Database['readSchema']> {
    // Later statements may read all rows.
    await this.#connection.set('statement_timeout', 0);
    const [[version] = []] = await this.query('select version()');
    // A dump may be restored into a database with another collation. CockroachDB always sorts by bytes.
    const byBytes = version?.startsWith('CockroachDB') ? '' : undefined;
    const read: unknown[] = [];
    const query = async (sql: string): Promise<(string | null)[][]> => {
      const rows = await this.query(sql);
      read.push(rows);
      return rows;
    };
    const actual = await readActualSchema(query, catalog);
    const isDistributed = (await readDistributed(query))?.has(rowCounters) ?? false;
    this.#schema = JSON.stringify(read);
    const keys = new Map((await this.query(primaryKeys)).map(([table, name]) => [String(table), String(name)]));
    return {
      actual,
      dialect: postgresDialect(byBytes, keys, isDistributed),
    };
  }

  /** @throws CliError if the database refuses a statement twice while its schema is the same */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    let deadline = Date.now() + this.#timeout;
    let refused: string | undefined;
    for (let delay = 25; ; delay = Math.min(2 * delay, 1_000)) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof Outdated) {
          deadline = Date.now() + this.#timeout;
          continue;
        }
        const { message } = error as Error;
        // After a race, the schema is another one.
        const failure = isRace(error) ? `${message} ${this.#schema}` : undefined;
        if (failure !== undefined && failure === refused) throw new CliError(refusal(message));
        // A second attempt tells a race from a refusal.
        const isFirst = failure !== undefined && refused === undefined;
        if (!isRetryable(error) || (!isFirst && Date.now() + delay > deadline)) throw error;
        refused = failure;
      }
      await pause(delay * (0.5 + Math.random()));
    }
  }

  async apply({ statements, isIndex = false, unfinished }: Step): Promise<void> {
    const run = async (): Promise<void> => {
      for (const statement of statements) await this.query(statement);
    };
    if (isIndex) {
      await this.#connection.set('lock_timeout', indexTimeout);
      if (await this.#awaitBuilds()) throw new Outdated();
      // An index that was completed after the plan was made is not seen as being built.
      if (unfinished !== undefined && (await this.query(validIndex, [unfinished])).length > 0) throw new Outdated();
      await run();
    } else {
      await inTransaction(this, `begin isolation level serializable; set local lock_timeout = ${lockTimeout}`, run);
    }
  }

  /**
   * Waits until no session builds an index in this schema: other starts may have the same plan. A statement that waited
   * for their lock would have a snapshot, which they wait for before they end: a deadlock, and their work would be lost.
   *
   * @returns whether somebody did
   */
  async #awaitBuilds(): Promise<boolean> {
    for (let isFirst = true; ; isFirst = false) {
      if ((await this.query(builds)).length === 0) return !isFirst;
      // At random, so that of several that wait one goes on first.
      await pause(buildInterval * (0.5 + Math.random()));
    }
  }

  recount(table: Counted): Promise<boolean> {
    return recountTable(this, table);
  }
}

const refusal = (message: string): string => `The database refused a change of its schema: ${message}.`;

/**
 * Runs `work` on a PostgreSQL database.
 *
 * @throws CliError if it cannot be reached, refuses a statement, or others lock its tables for too long
 */
export async function withPostgres<T>(
  url: string,
  service: string,
  work: (database: PostgresDatabase) => Promise<T>,
): Promise<T> {
  try {
    return await withConnection(readConnectionOptions(url, 'DATABASE_URL', service), (connection) =>
      work(new PostgresDatabase(connection, commandTimeout)),
    );
  } catch (error) {
    const { message } = error as Error;
    if (error instanceof CannotConnect) throw new CliError(`The database cannot be reached: ${message}`);
    if (isRetryable(error)) {
      throw new CliError(
        `The tables were locked by others for ${commandTimeout / 1_000} s (${message}). Completed steps stay; try again.`,
      );
    }
    if (error instanceof ConnectionLost) {
      throw new CliError(
        `The connection to the database was lost (${message}). Run it with --plan to see the remaining steps.`,
      );
    }
    throw sqlState(error) === undefined ? error : new CliError(refusal(message));
  }
}
