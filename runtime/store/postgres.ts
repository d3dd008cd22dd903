import { setTimeout as pause } from 'node:timers/promises';
import { CliError } from '../errors.ts';
import type { Table } from '../schema/table.ts';
import { readConnectionOptions } from './postgres/connection-options.ts';
import { type Connection, withConnection } from './postgres/connection.ts';
import { CannotConnect, isOutcomeUnknown, sqlState } from './postgres/failure.ts';
import { SchemaGuard } from '../migrate/schema-guard.ts';
import { PostgresStore } from './postgres/store.ts';
import type { Store } from './store.ts';

/** Milliseconds a start waits for a database that cannot be reached: it may be starting as well. */
const startTimeout = 15_000;

/**
 * Opens a PostgreSQL database and, where `migrate` says so, migrates its schema to the tables of this server.
 *
 * @param timeout how long it waits for a database that cannot be reached, in milliseconds
 * @throws CliError when it cannot be reached, cannot hold every text, or would lose data.
 */
export async function openPostgres(
  url: string,
  tables: readonly Table[],
  migrate: boolean,
  timeout = startTimeout,
): Promise<Store> {
  const options = readConnectionOptions(url);
  const guard = new SchemaGuard((work) => withConnection(options, work), tables, migrate ? 'on' : 'off');
  const deadline = Date.now() + timeout;
  for (let attempt = 1; ; attempt++) {
    try {
      await withConnection(options, requireUnicode);
      await guard.start();
      return new PostgresStore(options, tables, guard);
    } catch (error) {
      if (!(error instanceof CannotConnect || isOutcomeUnknown(error))) throw asCliError(error);
      const { message } = error as Error;
      if (isFinal(error))
        throw new CliError(`The database at ${options.hostNames} refuses the connection: ${message}.`);
      const failure = `The database at ${options.hostNames} cannot be reached: ${message}.`;
      if (Date.now() >= deadline) throw new CliError(failure);
      if (attempt === 1) console.error(`${failure} Trying again for ${Math.round(timeout / 1000)} s.`);
    }
    await pause(500);
  }
}

/** Waiting does not help: a wrong password or user, or no such database. */
const isFinal = (error: unknown): boolean => /^(?:28|3D)/.test(sqlState((error as Error).cause) ?? '');

const asCliError = (error: unknown): unknown =>
  sqlState(error) === undefined
    ? error
    : new CliError(`The database cannot be used: ${(error as Error).message}. See its log.`);

async function requireUnicode(connection: Connection): Promise<void> {
  const [[encoding] = []] = await connection.query({ text: 'show server_encoding' });
  if (encoding === 'UTF8') return;
  throw new CliError(`The database has the encoding ${encoding}, which cannot store every text. Create it with UTF8.`);
}
