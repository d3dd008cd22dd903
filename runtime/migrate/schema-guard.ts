import { setTimeout as pause } from 'node:timers/promises';
import { CliError, unavailable } from '../errors.ts';
import type { Table } from '../schema/table.ts';
import type { Step } from './plan.ts';
import type { Connection } from '../store/postgres/connection.ts';
import { addSingletons, migrateSchema, type Connect, isPassing, planFor } from './postgres-schema.ts';

/** How long a start waits for locks before it serves "unavailable" and goes on trying, in milliseconds. */
const startPatience = 10_000;

/** An outdated schema is looked at again after so many milliseconds. */
const lookInterval = 1_000;

/** So many milliseconds a request waits for a look: one that changes the schema may take minutes. */
const lookPatience = 5_000;

const beingChanged = 'The schema of the database is being changed. Try again.';

/**
 * Knows whether a database has the schema that the tables of this server need. The start brings it there as far as
 * that is nothing to other servers; what is not is left to `npm run migrate`, and waited for.
 */
export class SchemaGuard {
  readonly #connect: Connect;
  readonly #tables: readonly Table[];
  readonly #mayChange: boolean;
  #isReady = false;
  #wasReady = false;
  #reason = '';
  #look: Promise<void> | undefined;
  #lookedAt = 0;

  /** @param mode `off`: nothing is changed, as MIGRATE says */
  constructor(connect: Connect, tables: readonly Table[], mode: 'on' | 'off') {
    this.#connect = connect;
    this.#tables = tables;
    this.#mayChange = mode === 'on';
  }

  /** The schema is there: requests can be served. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /**
   * Takes the first look, and brings the schema to the tables. Resolves also where that is left to `npm run migrate`,
   * or locks of others last longer.
   *
   * @param patience how long it waits for locks, in milliseconds
   * @throws CliError where that would lose data, and what the database throws.
   */
  async start(patience = startPatience): Promise<void> {
    await this.#examine(patience);
  }

  /**
   * Looks again, at most once a second.
   *
   * @throws ApiError `unavailable` that says what is missing, and what the database throws.
   */
  async ready(): Promise<void> {
    if (this.#isReady) return;
    if (!this.#look && Date.now() - this.#lookedAt >= lookInterval) {
      this.#look = this.#examine(0).finally(() => (this.#look = undefined));
    }
    await Promise.race([this.#look, pause(lookPatience, undefined, { ref: false })]);
    if (!this.#isReady) throw unavailable(this.#reason || beingChanged, undefined);
  }

  /** A statement has failed because its table or column is not there: somebody has renamed or dropped it. */
  doubt(): void {
    this.#isReady = false;
    this.#lookedAt = 0;
  }

  async #examine(patience: number): Promise<void> {
    try {
      const missing = await this.#connect((connection) => this.#missing(connection, patience));
      this.#isReady = missing === undefined;
      this.#wasReady ||= this.#isReady;
      this.#note(missing ?? '');
    } catch (error) {
      // At the start it is thrown: there is nothing to serve yet.
      const isLater = this.#lookedAt > 0;
      if (error instanceof CliError && isLater) this.#note(error.message);
      else if (isPassing(error)) this.#note('The schema is being changed, and others hold its tables. Try again.');
      else throw error;
    } finally {
      this.#lookedAt = Date.now();
    }
  }

  /** Tells whoever runs the server what clients are told, once. */
  #note(reason: string): void {
    if (reason === this.#reason) return;
    this.#reason = reason;
    console.error(reason === '' ? 'The schema of the database fits now: requests are served.' : `Not ready: ${reason}`);
  }

  /** What keeps the schema from serving this server. */
  async #missing(connection: Connection, patience: number): Promise<string | undefined> {
    // Once it has served, a column that is gone was renamed by a newer version: it must not be made again, empty.
    if (this.#mayChange && !this.#wasReady) {
      return describeMissing(await migrateSchema(connection, this.#tables, { patience }));
    }
    const { steps, refusals } = await planFor(connection, this.#tables);
    const [refusal] = refusals;
    if (refusal !== undefined) return `The database does not fit the spec. ${refusal}`;
    const missing = describeMissing(steps);
    if (missing === undefined && !this.#wasReady) await addSingletons(connection, this.#tables);
    return missing;
  }
}

/** Servers work without an index, only slowly. */
function describeMissing(steps: readonly Step[]): string | undefined {
  const missing = steps.filter(({ isAlone = false }) => !isAlone).flatMap(({ statements }) => statements);
  const [first] = missing;
  if (first === undefined) return undefined;
  const [line = ''] = first.replace(/ \($/m, '').split('\n');
  const more = missing.length > 1 ? `, and ${missing.length - 1} more` : '';
  return `The schema of the database is not that of this version. Run \`npm run migrate\`; it still needs: ${line}${more}.`;
}
