import { setTimeout as pause } from 'node:timers/promises';
import { CliError, unavailable } from '../errors.ts';
import type { Table } from '../schema/table.ts';
import type { Connection } from '../store/postgres/connection.ts';
import { addSingletons, migrateSchema, planMigration } from './driver.ts';
import type { Step } from './plan.ts';
import { isRetryable, PostgresDatabase } from './postgres.ts';

/** Does work on a connection of its own, which ends afterwards. */
export type Connect = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>;

/** How long a start waits for locks before it serves "unavailable" and goes on trying, in milliseconds. */
const startTimeout = 10_000;

/** How long a later check does: enough to find out whether a failure repeats itself. */
const checkTimeout = 100;

/** An outdated schema is checked again after this many milliseconds. */
const checkInterval = 1_000;

/** How long a request waits for a check, in milliseconds: one that changes the schema may take minutes. */
const requestTimeout = 5_000;

const beingChanged = 'The schema of the database is being changed. Try again.';

/**
 * Knows whether a database has the schema that the tables of this server need. The start migrates it as far as servers
 * of another version do not notice; the rest is left to `npm run migrate`, and waited for.
 */
export class SchemaGuard {
  readonly #connect: Connect;
  readonly #tables: readonly Table[];
  readonly #mayMigrate: boolean;
  #isReady = false;
  #wasReady = false;
  #reason = '';
  #check: Promise<void> | undefined;
  #checkedAt = 0;

  /** @param mode `off`: nothing is changed, as MIGRATE says */
  constructor(connect: Connect, tables: readonly Table[], mode: 'on' | 'off') {
    this.#connect = connect;
    this.#tables = tables;
    this.#mayMigrate = mode === 'on';
  }

  /** The schema is there: requests can be served. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /**
   * Checks for the first time, and migrates. Resolves also where that is left to `npm run migrate`, or locks of others
   * last longer.
   *
   * @param timeout how long it waits for locks, in milliseconds
   * @throws CliError where data would be lost or the database refuses a change, and what the database throws.
   */
  async start(timeout = startTimeout): Promise<void> {
    await this.#update(timeout);
  }

  /**
   * Checks again, at most once a second.
   *
   * @throws ApiError `unavailable` that says what is missing, and what the database throws.
   */
  async ready(): Promise<void> {
    if (this.#isReady) return;
    if (!this.#check && Date.now() - this.#checkedAt >= checkInterval) {
      this.#check = this.#update(checkTimeout).finally(() => (this.#check = undefined));
    }
    await Promise.race([this.#check, pause(requestTimeout, undefined, { ref: false })]);
    if (!this.#isReady) throw unavailable(this.#reason || beingChanged, undefined);
  }

  /** A statement has failed because its table or column is not there: somebody has renamed or dropped it. */
  doubt(): void {
    this.#isReady = false;
    this.#checkedAt = 0;
  }

  async #update(timeout: number): Promise<void> {
    try {
      const missing = await this.#connect((connection) => this.#missing(new PostgresDatabase(connection, timeout)));
      this.#isReady = missing === undefined;
      this.#wasReady ||= this.#isReady;
      this.#note(missing ?? '');
    } catch (error) {
      // At the start it is thrown: there is nothing to serve yet.
      const isLater = this.#checkedAt > 0;
      if (error instanceof CliError && isLater) this.#note(error.message);
      else if (isRetryable(error)) this.#note('The schema is being changed, and its tables are locked. Try again.');
      else throw error;
    } finally {
      this.#checkedAt = Date.now();
    }
  }

  /** Tells whoever runs the server what clients are told, once. */
  #note(reason: string): void {
    if (reason === this.#reason) return;
    this.#reason = reason;
    console.error(reason === '' ? 'Ready: the schema of the database matches the spec.' : `Not ready: ${reason}`);
  }

  /** What keeps the schema from serving this server. */
  async #missing(database: PostgresDatabase): Promise<string | undefined> {
    // Once it has served, a column that is gone was renamed by a newer version: it must not be created again, empty.
    if (this.#mayMigrate && !this.#wasReady) {
      return describeMissing(await migrateSchema(database, this.#tables, { incompatible: false }));
    }
    const { steps, blockers } = await planMigration(database, this.#tables);
    const [blocker] = blockers;
    if (blocker !== undefined) return `The schema does not match the spec. ${blocker}`;
    const missing = describeMissing(steps);
    if (missing === undefined && !this.#wasReady) await addSingletons(database, this.#tables);
    return missing;
  }
}

/** Servers work without an index, only slowly. */
function describeMissing(steps: readonly Step[]): string | undefined {
  const missing = steps.filter(({ isIndex = false }) => !isIndex).flatMap(({ statements }) => statements);
  const [first] = missing;
  if (first === undefined) return undefined;
  const [line = ''] = first.replace(/ \($/m, '').split('\n');
  const more = missing.length > 1 ? `, and ${missing.length - 1} more` : '';
  return `The schema of the database does not match this version. Run \`npm run migrate\`; missing: ${line}${more}.`;
}
