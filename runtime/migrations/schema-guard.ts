import type { Feature } from '../kernel/feature.ts';
import { CliError, unavailable } from '../kernel/model/errors.ts';
import { log } from '../observability/log.ts';
import type { Table } from '../kernel/model/table.ts';
import { inTime, pause } from '../kernel/model/wait.ts';
import type { Connection } from '../engines/postgres/connection.ts';
import type { Database } from './types.ts';
import { migrateAtStart, planMigration, prepareRows } from './driver.ts';
import { describeMissing } from './plan.ts';
import { isRetryable, PostgresDatabase } from './postgres.ts';
import { checkInterval } from '../kernel/model/limits.ts';

/** Runs `work` on a new connection, which is closed afterwards. */
type Connect = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;

/**
 * The check that a database has the schema of this server's tables. The start executes a migration that consists of
 * additions; otherwise the server waits for `npm run migrate`.
 */
export class SchemaGuard {
  readonly #features: readonly Feature[];
  readonly #connect: Connect;
  readonly #tables: readonly Table[];
  readonly #mayMigrate: boolean;
  #isReady = false;
  #wasReady = false;
  #reason = '';
  #check: Promise<void> | undefined;
  #checkedAt = 0;

  constructor(features: readonly Feature[], connect: Connect, tables: readonly Table[], mayMigrate: boolean) {
    this.#features = features;
    this.#connect = connect;
    this.#tables = tables;
    this.#mayMigrate = mayMigrate;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /**
   * Checks again, at most once a second.
   *
   * @throws ApiError `unavailable` that says what is missing, and the errors of the database
   */
  async ready(): Promise<void> {
    if (this.#isReady) return;
    if (!this.#check && Date.now() - this.#checkedAt >= checkInterval) {
      this.#check = this.update().finally(() => (this.#check = undefined));
    }
    // It may take minutes if it changes the schema.
    await inTime(this.#check);
    if (!this.#isReady) throw unavailable(this.#reason || 'The schema of the database is being changed. Try again.');
  }

  /** Makes the next `ready` check again: a statement has failed because its table or column was renamed or dropped. */
  invalidate(): void {
    this.#isReady = false;
    this.#checkedAt = 0;
  }

  /**
   * Checks, the first time with the migration. Resolves even if the schema is not ready, as after `checkInterval` of locks.
   *
   * @throws CliError at the start, if data would be lost or the database refuses a change. The errors of the database
   */
  async update(): Promise<void> {
    try {
      const reason = await this.#connect((connection) =>
        this.#missing(new PostgresDatabase(connection, checkInterval, (work) => void this.#doLater(work))),
      );
      this.#isReady = reason === '';
      this.#wasReady ||= this.#isReady;
      this.#note(reason);
    } catch (error) {
      const isStart = this.#checkedAt === 0;
      if (error instanceof CliError && !isStart) this.#note(error.message);
      else if (isRetryable(error)) this.#note('The schema is being changed, and its tables are locked. Try again.');
      else throw error;
    } finally {
      this.#checkedAt = Date.now();
    }
  }

  /** Does work as soon as all nodes of a cluster answer. */
  async #doLater(work: (database: Database) => Promise<void>): Promise<void> {
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await this.#connect((connection) => work(new PostgresDatabase(connection, checkInterval)));
      } catch (error) {
        if (isFirst) log.warn('Rows that organizations may lack are added when all nodes answer.', { err: error });
        await pause(checkInterval, undefined, { ref: false });
      }
    }
  }

  /** Logs why the server is not ready, which responses also say, when that changes. */
  #note(reason: string): void {
    if (reason === this.#reason) return;
    this.#reason = reason;
    log.warn(reason === '' ? 'Ready: the schema of the database matches the spec.' : `Not ready: ${reason}`);
  }

  /** Describes what is missing in the schema; empty if it is ready. */
  async #missing(database: PostgresDatabase): Promise<string> {
    // After the first success, a missing column was renamed by a newer version: it must not be created again, empty.
    if (this.#mayMigrate && !this.#wasReady) {
      return describeMissing(await migrateAtStart(this.#features, database, this.#tables, false));
    }
    const { steps, blockers } = await planMigration(this.#features, database, this.#tables);
    const missing = describeMissing(steps, blockers);
    if (missing === '' && !this.#wasReady) {
      await database.attempt(() => prepareRows(this.#features, database, this.#tables, steps));
    }
    return missing;
  }
}
