import { setTimeout as pause } from 'node:timers/promises';
import { CliError } from '../model/errors.ts';
import { SchemaGuard } from '../migrations/schema-guard.ts';
import { log } from '../observability/log.ts';
import type { Table } from '../model/table.ts';
import { readConnectionOptions } from '../postgres/connection-options.ts';
import { type Connection, withConnection } from '../postgres/connection.ts';
import { CannotConnect, isOutcomeUnknown, sqlState } from '../postgres/failure.ts';
import { PostgresStore } from '../postgres/store.ts';
import type { Store } from '../records/store.ts';

interface OpenOptions {
  readonly readUrl?: string | undefined;
  readonly service?: string;
  readonly timeout?: number;
  readonly maxDuration?: number | undefined;
}

/**
 * Opens a PostgreSQL database and, where `migrate` says so, migrates its schema to the tables of this server.
 *
 * @param readUrl of the replicas, which need not be there
 * @param service the application_name of its connections, where the URL gives none
 * @param timeout how long it waits for a database that cannot be reached, in milliseconds: it may be starting as well
 * @param maxDuration milliseconds after which the store gives up a request
 * @throws CliError when it cannot be reached, cannot hold every text, or would lose data.
 */
export async function openPostgres(
  url: string,
  tables: readonly Table[],
  migrate: boolean,
  { readUrl, service, timeout = 15_000, maxDuration }: OpenOptions = {},
): Promise<Store> {
  const options = readConnectionOptions(url, 'DATABASE_URL', service);
  const readOptions = readUrl === undefined ? undefined : readConnectionOptions(readUrl, 'READ_DATABASE_URL', service);
  const guard = new SchemaGuard((work) => withConnection(options, work), tables, migrate ? 'on' : 'off');
  const deadline = Date.now() + timeout;
  for (let attempt = 1; ; attempt++) {
    try {
      await withConnection(options, requireUnicode);
      await guard.start();
      const store = new PostgresStore(options, tables, guard, maxDuration, readOptions);
      await store.open();
      return store;
    } catch (error) {
      const { message, cause } = error as Error;
      if (!(error instanceof CannotConnect || isOutcomeUnknown(error))) {
        if (sqlState(error) === undefined) throw error;
        throw new CliError(`The database cannot be used: ${message}. See its log.`);
      }
      // A wrong password or user, or no such database: waiting does not help.
      if (/^(?:28|3D)/.test(sqlState(cause) ?? '')) {
        throw new CliError(`The database at ${options.hostNames} refuses the connection: ${message}.`);
      }
      const failure = `The database at ${options.hostNames} cannot be reached: ${message}.`;
      if (Date.now() >= deadline) throw new CliError(failure);
      if (attempt === 1) log.warn(`${failure} Trying again for ${Math.round(timeout / 1000)} s.`);
    }
    await pause(500);
  }
}

async function requireUnicode(connection: Connection): Promise<void> {
  const [[encoding] = []] = await connection.query({ text: 'show server_encoding' });
  if (encoding === 'UTF8') return;
  throw new CliError(`The database has the encoding ${encoding}, which cannot store every text. Create it with UTF8.`);
}
