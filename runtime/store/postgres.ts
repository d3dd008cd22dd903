import { setTimeout as pause } from 'node:timers/promises';
import { CliError } from '../errors.ts';
import type { Table } from '../schema/table.ts';
import { readConnectionOptions } from './postgres/connection-options.ts';
import { type Connection, withConnection } from './postgres/connection.ts';
import { CannotConnect, isLost, sqlState } from './postgres/failure.ts';
import { SchemaGuard } from '../migrate/schema-guard.ts';
import { PostgresStore } from './postgres/store.ts';
import type { Store } from './store.ts';

/** How long a start waits for a database that cannot be reached: it may be starting as well. */
const startPatience = 15_000;

/**
 * Opens a PostgreSQL database and, where `migrate` says so, brings its schema to the wanted tables.
 *
 * @param patience how long it waits for a database that cannot be reached, in milliseconds
 * @throws CliError when it cannot be reached, cannot hold every text, or would lose data.
 */
export async function openPostgres(
  url: string,
  tables: readonly Table[],
  migrate: boolean,
  patience = startPatience,
): Promise<Store> {
  const address = readConnectionOptions(url);
  const guard = new SchemaGuard((work) => withConnection(address, work), tables, migrate ? 'on' : 'off');
  const deadline = Date.now() + patience;
  for (let attempt = 1; ; attempt++) {
    try {
      await withConnection(address, requireUnicode);
      await guard.start();
      return new PostgresStore(address, tables, guard);
    } catch (error) {
      if (!(error instanceof CannotConnect || isLost(error))) throw asStartError(error);
      const { message } = error as Error;
      if (isFinal(error)) throw new CliError(`The database at ${address.shown} refuses the connection: ${message}.`);
      const failure = `The database at ${address.shown} cannot be reached: ${message}.`;
      if (Date.now() >= deadline) throw new CliError(failure);
      if (attempt === 1) console.error(`${failure} Trying again for ${Math.round(patience / 1000)} s.`);
    }
    await pause(500);
  }
}

/** What waiting does not mend: a wrong password or user, or a database that is not there. */
const isFinal = (error: unknown): boolean => /^(?:28|3D)/.test(sqlState((error as Error).cause) ?? '');

const asStartError = (error: unknown): unknown =>
  sqlState(error) === undefined
    ? error
    : new CliError(`The database cannot be used: ${(error as Error).message}. See its log, or who uses it.`);

async function requireUnicode(connection: Connection): Promise<void> {
  const [[encoding] = []] = await connection.query({ text: 'show server_encoding' });
  if (encoding === 'UTF8') return;
  throw new CliError(
    `The database has the encoding ${encoding}, which lacks characters that texts may hold. Make it with UTF8.`,
  );
}
