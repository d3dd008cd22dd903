import type { Features } from '../kernel/feature.ts';
import { CliError } from '../kernel/model/errors.ts';
import { SchemaGuard } from '../migrations/schema-guard.ts';
import { log } from '../observability/log.ts';
import type { Table } from '../kernel/model/table.ts';
import { retry } from '../kernel/model/wait.ts';
import { readConnectionOptions } from '../engines/postgres/connection-options.ts';
import { type Connection, withConnection } from '../engines/postgres/connection.ts';
import { CannotConnect, isOutcomeUnknown, sqlState } from '../engines/postgres/failure.ts';
import { PostgresStore } from '../engines/postgres/store.ts';
import type { Store } from '../kernel/records/store.ts';

interface OpenOptions {
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly service?: string;
  readonly maxDuration?: number | undefined;
}

/**
 * Opens a PostgreSQL database and, if `migrate` says so, migrates its schema to the tables of this server. It tries for three
 * times as long as one attempt to connect may take: the database may be starting as well.
 *
 * @param settings the values of all settings, for features
 * @param service the application_name of its connections, if the URL gives none
 * @param maxDuration milliseconds after which the store gives up a request
 * @throws CliError if it cannot be reached, cannot hold every text, or would lose data.
 */
export async function openPostgres(
  features: Features,
  url: string,
  tables: readonly Table[],
  migrate: boolean,
  { settings = {}, service, maxDuration }: OpenOptions = {},
): Promise<Store> {
  const options = readConnectionOptions(url, 'DATABASE_URL', service);
  const guard = new SchemaGuard(features.list, (work) => withConnection(options, work), tables, migrate);
  const limit = 3 * (options.candidates[0]?.connectionTimeoutMillis ?? 0);
  const open = async (): Promise<Store> => {
    try {
      await withConnection(options, requireUnicode);
      await guard.update();
      const store = new PostgresStore(features, options, tables, guard, maxDuration);
      await store.open(features, { options, service, settings });
      return store;
    } catch (error) {
      throw cannotUse(error, options.hostNames);
    }
  };
  let hasFailed = false;
  return retry(limit, open, (error) => {
    if (!(error instanceof Unreachable)) return false;
    if (!hasFailed) log.warn(`${error.message} Trying again for ${limit / 1_000} s.`);
    return (hasFailed = true);
  });
}

class Unreachable extends CliError {}

/** Tells why a start has failed; faults of this program stay as they are. */
function cannotUse(error: unknown, hosts: string): unknown {
  const { message, cause } = error as Error;
  if (!(error instanceof CannotConnect || isOutcomeUnknown(error))) {
    if (sqlState(error) === undefined) return error;
    return new CliError(`The database cannot be used: ${message}. See its log.`);
  }
  // A wrong password or user, or no such database: waiting does not help.
  const isRefused = /^(?:28|3D)/.test(sqlState(cause) ?? '');
  if (isRefused) return new CliError(`The database at ${hosts} refuses the connection: ${message}.`);
  return new Unreachable(`The database at ${hosts} cannot be reached: ${message}.`);
}

async function requireUnicode(connection: Connection): Promise<void> {
  const [[encoding] = []] = await connection.query('show server_encoding');
  if (encoding === 'UTF8') return;
  throw new CliError(`The database has the encoding ${encoding}, which cannot store every text. Create it with UTF8.`);
}
