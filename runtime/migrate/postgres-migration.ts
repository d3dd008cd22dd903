import { CliError } from '../errors.ts';
import type { Table } from '../schema/table.ts';
import type { Migration, Preview } from './migration.ts';
import type { Kept, DestructiveChanges, Step } from './plan.ts';
import { countKept } from '../store/ddl.ts';
import type { Address } from '../store/postgres/connection-options.ts';
import { connect, type Connection } from '../store/postgres/connection.ts';
import { CannotConnect, ConnectionLost, sqlState } from '../store/postgres/failure.ts';
import { recount } from './postgres-recount.ts';
import { migrateSchema, isPassing, planFor } from './postgres-schema.ts';

/** How long `npm run migrate` goes on trying while others hold the tables, in milliseconds. */
const patience = 60_000;

/** What `npm run migrate` does with a PostgreSQL database. */
export class PostgresMigration implements Migration {
  readonly #address: Address;
  readonly #tables: readonly Table[];
  #connection: Connection | undefined;

  constructor(address: Address, tables: readonly Table[]) {
    this.#address = address;
    this.#tables = tables;
  }

  async plan(orders: DestructiveChanges): Promise<Preview> {
    return this.#with(async (connection) => ({ plan: await planFor(connection, this.#tables, orders), notes: [] }));
  }

  async run(orders: DestructiveChanges, onStep: (step: Step) => void): Promise<Preview> {
    return this.#with(async (connection) => {
      await migrateSchema(connection, this.#tables, { orders, exclusive: true, patience, onStep });
      return { plan: await planFor(connection, this.#tables), notes: [] };
    });
  }

  async rowsOf(kept: Kept): Promise<number> {
    return this.#with(async (connection) => {
      const [[count] = []] = await connection.query({ text: countKept(kept) });
      return Number(count);
    });
  }

  async recount(): Promise<string[]> {
    return this.#with((connection) => recount(connection, patience));
  }

  async close(): Promise<void> {
    await this.#connection?.end();
  }

  async #with<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    try {
      this.#connection ??= await connect(this.#address);
      return await work(this.#connection);
    } catch (error) {
      if (error instanceof CannotConnect) throw new CliError(`The database cannot be reached: ${error.message}`);
      if (isPassing(error)) {
        throw new CliError(
          `Others have held the tables for ${patience / 1_000} s (${(error as Error).message}). What was done stays done; try again.`,
        );
      }
      if (error instanceof ConnectionLost) {
        throw new CliError(`The connection to the database was lost (${error.message}). Look what --plan says now.`);
      }
      if (sqlState(error) === undefined) throw error;
      throw new CliError(`The database refuses it: ${(error as Error).message}`);
    }
  }
}
