import cluster from 'node:cluster';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { type Config, readConfig } from '../config.ts';
import { CliError } from '../errors.ts';
import { keyCheck } from '../http/keys.ts';
import { createHttpServer } from '../http/server.ts';
import type { Service } from '../service.ts';
import { readConnectionOptions } from '../store/postgres/connection-options.ts';
import type { Store } from '../store/store.ts';
import { parseArguments } from './arguments.ts';
import { keyBeside } from './key-file.ts';
import { onStopSignal } from './stop-signal.ts';
import { databaseOfWorkers, portOfWorkers, startWorkers, untilNoneAccepts } from './workers.ts';

/** Time for the requests in flight when the server is told to stop, in milliseconds. */
const stopTimeout = 8_000;

/** Time for which a client may make no progress, in milliseconds. */
const stallTimeout = 30_000;

/**
 * Starts a service from the environment and serves it until SIGTERM or SIGINT.
 *
 * @throws CliError where something keeps it from starting.
 */
export async function serve(service: Service, args: readonly string[]): Promise<void> {
  const options = { 'show-key': { type: 'boolean' } } as const;
  const { values } = parseArguments('The only option is --show-key.', { args, options });
  const config = readConfig(process.env, readConnectionOptions);
  const { database, apiKeys } = config;
  if (database.kind === 'postgres' && apiKeys.length === 0) {
    throw new CliError(
      'API_KEYS is not set, and with PostgreSQL no key is created: several servers would have one each. Set it to keys ' +
        'separated by commas; `openssl rand -hex 32` makes one.',
    );
  }
  // Opened before a key is created: nothing is written beside a foreign database.
  const store = await openStore(config, service);
  try {
    const keyFile = database.kind === 'sqlite' && apiKeys.length === 0 ? keyBeside(database.file) : undefined;
    const keys = keyFile ? [keyFile.key] : apiKeys;
    const shownKey = values['show-key'] ? keys[0] : undefined;
    if (config.workers > 1 && cluster.isPrimary) {
      // It has migrated the database, once, before anybody serves.
      const identity = database.kind === 'sqlite' ? await identityOfFile(database.file) : undefined;
      await store.close();
      print(service, await startWorkers(config.workers, identity), shownKey, keyFile?.file);
      return;
    }
    const openapi = readFileSync(service.openapi, 'utf8');
    const checkKey = keyCheck(keys, service.name);
    const limits = {
      connections: { count: config.maxConnections, stall: stallTimeout },
      bufferedBytes: config.maxBufferedBytes,
    };
    const { server, stop } = createHttpServer(service, openapi, store, checkKey, limits);
    await listen(server, config.port, config.host);
    // A worker shares the port of those that have it; where they are gone, it takes the same again.
    const { port } = server.address() as AddressInfo;
    if (cluster.isWorker && port !== portOfWorkers(port)) {
      await server[Symbol.asyncDispose]();
      await listen(server, portOfWorkers(port), config.host);
    }
    onStopSignal(
      async () => {
        await stop(config.drainSeconds * 1_000, stopTimeout, untilNoneAccepts);
        await store.close();
        return 0;
      },
      // A worker may get a signal twice, from whoever stops the primary process and from that, which counts them.
      () => cluster.isPrimary && process.exit(1),
    );
    if (cluster.isPrimary) print(service, server.address() as AddressInfo, shownKey, keyFile?.file);
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openStore({ database, migrate }: Config, { name, tables }: Service): Promise<Store> {
  // The other engine is not loaded.
  if (database.kind === 'sqlite') {
    return (await import('./open-sqlite.ts')).openSqlite(database.file, tables, name, databaseOfWorkers());
  }
  return (await import('./open-postgres.ts')).openPostgres(database.url, tables, migrate, name);
}

const identityOfFile = async (file: string): Promise<string | undefined> =>
  (await import('../store/sqlite/file-guard.ts')).identityOf(file);

async function listen(server: Server, port: number, host: string): Promise<void> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    const reasons: Readonly<Record<string, string>> = {
      EADDRINUSE: `Port ${port} of ${host} is in use. Stop what uses it, or set PORT.`,
      EACCES: `Port ${port} is reserved. Set PORT to 1024 or higher.`,
      EADDRNOTAVAIL: `${host} is no address of this machine. Set HOST.`,
      ENOTFOUND: `The host name ${host} is unknown. Set HOST.`,
    };
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new CliError(reasons[code] ?? `The server cannot listen: ${message}`);
  }
}

function print(
  { title, app, basePath }: Service,
  { address, port }: Pick<AddressInfo, 'address' | 'port'>,
  key: string | undefined,
  keyFile: string | undefined,
): void {
  const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}`;
  console.log(`${title} is serving on ${url}`);
  if (key !== undefined) {
    // A list that needs no parameters: of something that can be retrieved by its id, too.
    const paths = new Set(app.routes.flatMap(({ method, path }) => (method === 'GET' ? [path] : [])));
    const example = [...paths].find((path) => paths.has(`${path}/:id`)) ?? basePath;
    console.log(`API key: ${key}`);
    console.log(`Try it:  curl -H 'Authorization: Bearer ${key}' ${url}${example}`);
  } else if (keyFile) {
    console.log(`The API key is in ${keyFile}`);
  }
}
