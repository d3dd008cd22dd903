import { CliError } from '../kernel/model/errors.ts';
import { maxNamed } from '../kernel/model/limits.ts';
import { quote, rowCounters } from '../kernel/sql/schema.ts';
import { readConnectionOptions } from '../engines/postgres/connection-options.ts';
import { type Connection, withConnection } from '../engines/postgres/connection.ts';
import { CannotConnect, ConnectionLost, hasState, sqlState } from '../engines/postgres/failure.ts';
import { answerTimeout } from '../engines/postgres/limits.ts';
import type { Values } from '../kernel/sql/types.ts';
import {
  indexedParent,
  listIndex,
  postgresDialect as queryDialect,
  postgresValues,
} from '../engines/postgres/dialect.ts';
import { maxAttempts } from '../kernel/records/limits.ts';
import type { Cluster, Database, MigrationDialect } from './types.ts';
import { inTransaction } from './transact.ts';
import { commandTimeout, lockTimeout, maxIndexed } from './limits.ts';
import { randomPause } from '../kernel/model/wait.ts';
import { readActualSchema } from './schema.ts';
import { foreignKeyDefinition } from './definitions.ts';

/** The plan is no longer valid: others have built indexes meanwhile. */
class Outdated extends Error {}

/** A race with another change of the schema: a table or column was created, renamed or dropped meanwhile. */
const isRace = hasState(/^(?:23505|42P07|42701|42710|42P01|42703|42704)$/);

const isConflict = hasState(/^(?:40001|40P01|55P03)$/);

/**
 * Whether a failed step may succeed after planning again: it failed in a race, or in a conflict with other transactions
 * (serialization failure, deadlock, lock timeout, "tuple concurrently updated").
 */
export const isRetryable = (error: unknown): boolean =>
  isRace(error) ||
  isConflict(error) ||
  (sqlState(error) === 'XX000' && /^(?:tuple concurrently|could not serialize) /.test((error as Error).message));

/** The length of a text is known without reading it, and the bytes that it takes when it is compressed, as indexes do. A later step may convert the column to a text. */
const findTooLong: NonNullable<MigrationDialect['findTooLong']> = (table, columns) => {
  const isLong = (bytesOf: (column: string) => string): string =>
    `${columns.map((column) => `coalesce(${bytesOf(quote(column))}, 0) + `).join('')}octet_length("id") > ${maxIndexed}`;
  const length = isLong((column) => `octet_length(cast(${column} as text))`);
  const size = isLong((column) => `pg_column_size(${column})`);
  return `select "id" from ${quote(table)} where ${length} and ${size} order by "id" limit ${maxNamed + 1}`;
};

/** Rows are checked in a step of their own, which keeps no write waiting. */
const addForeignKey: MigrationDialect['addForeignKey'] = (key, { isThere, hasRows }) => {
  const alter = `alter table ${quote(key.table)}`;
  const add = `${alter} add ${foreignKeyDefinition(key)}`;
  if (!hasRows) return [[add]];
  const validate = [`${alter} validate constraint ${quote(key.name)}`];
  // As a new column of references has it: the foreign key finds rows by an index in this order.
  const collate = `${alter} alter column ${quote(key.column)} type text collate "C"`;
  return isThere ? [validate] : [[collate, `${add} not valid`], validate];
};

/** @param distribute statements that spread a new table over the nodes of a cluster */
export const postgresDialect = (distribute: MigrationDialect['distribute'] = () => []): MigrationDialect => ({
  engine: 'postgres',
  values: postgresValues,
  byBytes: 'collate "C"',
  definesForeignKeys: false,
  concurrently: 'concurrently',
  indexedParent,
  orderedColumn: (column, isDescending) => [`${column}${isDescending ? ' nulls first' : ''}`],
  listIndex,
  dropForeignKey: ({ table, name }) => [`alter table ${quote(table)} drop constraint if exists ${quote(name)}`],
  addForeignKey,
  findTooLong,
  distribute,
});

/** A condition: the relation `c` is in the current schema. */
const inCurrentSchema = 'c.relnamespace = quote_ident(current_schema())::regnamespace';

const catalog = {
  columns: `select c.relname, a.attname, format_type(a.atttypid, a.atttypmod)
    from pg_catalog.pg_class c join pg_catalog.pg_attribute a on a.attrelid = c.oid
    where ${inCurrentSchema} and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
    order by c.relname, a.attnum`,
  // The index holds the prefix of a parent's id: `"left"(bom_id, 500)`.
  indexColumns: `select c.relname, coalesce(a.attname::text, substring(
        pg_get_indexdef(x.indexrelid, k.ordinal::int, true) from '^"?left"?[(]"?([^"]+)"?, [0-9]+[)]$')),
      case when not x.indisvalid then true end
    from pg_catalog.pg_index x
    cross join lateral unnest(x.indkey) with ordinality k(attnum, ordinal)
    join pg_catalog.pg_class c on c.oid = x.indexrelid
    left join pg_catalog.pg_attribute a on a.attrelid = x.indrelid and a.attnum = k.attnum
    where ${inCurrentSchema} and not x.indisprimary
    order by c.relname, k.ordinal`,
  foreignKeys: `select k.conname, c.relname, a.attname, f.relname, case when not k.convalidated then 1 end
    from pg_catalog.pg_constraint k
    join pg_catalog.pg_class c on c.oid = k.conrelid
    join pg_catalog.pg_class f on f.oid = k.confrelid
    join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = k.conkey[2]
    where ${inCurrentSchema} and k.contype = 'f' order by c.relname, k.conname`,
};

/** The owner of the tables sees here which sessions build their indexes, also concurrently. */
const builds = `select 1 from pg_catalog.pg_stat_progress_create_index p
  join pg_catalog.pg_class c on c.oid = p.relid where p.datname = current_database() and ${inCurrentSchema} limit 1`;

const validIndex = `select 1 from pg_catalog.pg_index x
  join pg_catalog.pg_class c on c.oid = x.indexrelid where ${inCurrentSchema} and c.relname = $1 and x.indisvalid`;

/** A node of a cluster cannot be reached, or does not answer in time. */
const isNodeAway = hasState(/^(?:08|57014$)/);

type DoLater = (work: (database: Database) => Promise<void>) => void;

/** A PostgreSQL database. Each step is a transaction; attempts are repeated after conflicts with other transactions. */
export class PostgresDatabase implements Database {
  readonly isAtomic = false;
  readonly dialect = queryDialect;
  readonly #connection: Connection;
  readonly #timeout: number;
  readonly #doLater: DoLater | undefined;
  #isDistributed = false;

  /**
   * @param timeout milliseconds during which attempts are repeated
   * @param doLater does what a cluster needs all of its nodes for; undefined if that is waited for
   */
  constructor(connection: Connection, timeout: number, doLater?: DoLater) {
    this.#connection = connection;
    this.#timeout = timeout;
    this.#doLater = doLater;
  }

  query(text: string, values: Values = []): Promise<(string | null)[][]> {
    return this.#connection.query(text, values);
  }

  async readSchema(cluster?: Cluster): ReturnType<Database['readSchema']> {
    const query = (sql: string): Promise<unknown[][]> => this.query(sql);
    this.#isDistributed = (await cluster?.readDistributed(query))?.has(rowCounters) ?? false;
    await this.#connection.set('statement_timeout', this.#isDistributed ? answerTimeout : 0);
    // These rows are on one node, all others that are read on each.
    const queryNode = (sql: string): Promise<unknown[][] | undefined> =>
      query(sql).catch((error: unknown) => {
        if (isNodeAway(error)) return undefined;
        throw error;
      });
    const actual = await readActualSchema(query, catalog, queryNode);
    // Later statements may read all rows.
    await this.#connection.set('statement_timeout', 0);
    return { actual, dialect: postgresDialect(this.#isDistributed ? cluster?.distributeTable : undefined) };
  }

  async whenComplete(work: (database: Database) => Promise<void>): Promise<void> {
    if (this.#isDistributed && this.#doLater) this.#doLater(work);
    else await work(this);
  }

  /** @throws CliError if the database refuses a statement in each of several attempts, which no race explains */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    let deadline = Date.now() + this.#timeout;
    let races = 0;
    for (let delay = 25; ; delay = Math.min(2 * delay, lockTimeout)) {
      try {
        return await work();
      } catch (error) {
        if (error instanceof Outdated) {
          deadline = Date.now() + this.#timeout;
          continue;
        }
        if (isRace(error)) {
          if (++races === maxAttempts) throw new CliError(refusal((error as Error).message));
        } else if (!isRetryable(error) || Date.now() + delay > deadline) throw error;
      }
      await randomPause(delay);
    }
  }

  async apply(...[step, prepare]: Parameters<Database['apply']>): Promise<void> {
    const run = async (): Promise<void> => {
      await prepare?.((statement) => this.query(statement));
      for (const statement of step.statements) await this.query(statement);
    };
    if (step.kind === 'index') {
      await this.#connection.set('lock_timeout', commandTimeout);
      if (await this.#awaitBuilds()) throw new Outdated();
      // An index that was completed after the plan was made is not seen as being built.
      if (step.unfinished && (await this.query(validIndex, [step.unfinished])).length > 0) throw new Outdated();
      await run();
    } else {
      await inTransaction(this, `begin isolation level serializable; set local lock_timeout = ${lockTimeout}`, run);
    }
  }

  /**
   * Waits until no session builds an index in this schema: other starts may have the same plan. A statement that waited
   * for their lock would have a snapshot, which they wait for before they end: a deadlock, and their work would be lost.
   *
   * @returns whether it had to wait
   */
  async #awaitBuilds(): Promise<boolean> {
    for (let isFirst = true; ; isFirst = false) {
      if ((await this.query(builds)).length === 0) return !isFirst;
      await randomPause();
    }
  }

  async lockTable(table: string, mode = 'share row exclusive'): Promise<void> {
    await this.query(`set local lock_timeout = ${lockTimeout}; lock table ${quote(table)} in ${mode} mode`);
    // Rows may have been added in bulk: without new statistics, the planner would not use the indexes.
    await this.query(`analyze ${quote(table)}`);
  }
}

const refusal = (message: string): string => `The database refused a change of its schema: ${message}.`;

const nodeAway = (message: string): string =>
  `A server of the database does not answer: ${message}. On a cluster, all nodes must answer when a command changes what each of ` +
  'them has: keys, organizations, webhooks and the schema. Try again when they do.';

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
    // The driver's hint is in a line of its own.
    if (isNodeAway(error)) throw new CliError(nodeAway(message.replace(/\n.*/s, '')));
    throw sqlState(error) === undefined ? error : new CliError(`The database refused a statement: ${message}.`);
  }
}
