import cluster from 'node:cluster';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { type Config, readConfig } from '../server/config.ts';
import { CliError } from '../model/errors.ts';
import { keyCheck } from '../auth/keys.ts';
import { createHttpServer } from '../server/server.ts';
import { openLog } from '../observability/log.ts';
import type { Metric } from '../server/metrics.ts';
import { Recorder } from '../observability/recorder.ts';
import type { Service } from '../api/service.ts';
import { describeSettings } from '../server/settings.ts';
import { readConnectionOptions } from '../postgres/connection-options.ts';
import type { Store } from '../records/store.ts';
import { parseArguments } from './arguments.ts';
import { commands } from './descriptions.ts';
import { keyBeside } from '../server/key-file.ts';
import { printStartup, urlOf } from '../server/startup.ts';
import { onStopSignal } from '../server/stop-signal.ts';
import { databaseOfWorkers, portOfWorkers, startWorkers, untilAllReady } from '../server/workers.ts';

/** Time for the requests in flight when the server is told to stop, in milliseconds. */
const stopTimeout = 8_000;

/** Time for which a client may make no progress, in milliseconds. */
const stallTimeout = 30_000;

/** Time for which a connection was idle when a stop ends it, in milliseconds: by default, and if a stop must be quick. */
const idleTimeout = { normal: 1_000, quick: 100 };

/**
 * Starts a service from the environment and serves it until SIGTERM or SIGINT.
 *
 * @throws CliError if something keeps it from starting.
 */
export async function serve(service: Service, args: readonly string[]): Promise<void> {
  const { values } = await parseArguments(commands.start, args);
  const config = readConfig(process.env, readConnectionOptions);
  if (values.verbose && cluster.isPrimary) {
    console.log(['The settings in use:', ...describeSettings(process.env)].join('\n'));
  }
  const { database, apiKeys } = config;
  const isObserved = config.metricsPort !== undefined;
  if (database.kind === 'postgres' && apiKeys.length === 0) {
    throw new CliError(
      'API_KEYS is not set, and with PostgreSQL no key is created: several servers would have one each. Set it to keys ' +
        'separated by commas; `openssl rand -hex 32` makes one.',
    );
  }
  await openLog(config.logLevel);
  // Opened before a key is created: nothing is written beside a foreign database.
  const store = await openStore(config, service);
  try {
    const keyFile = database.kind === 'sqlite' && apiKeys.length === 0 ? keyBeside(database.file) : undefined;
    const keys = keyFile ? [keyFile.key] : apiKeys;
    const shownKey = values['show-key'] ? keys[0] : undefined;
    const pages = { ...(config.docs && { Reference: '/docs' }), ...(config.console && { Console: '/console' }) };
    const startup = { service, shownKey, keyFile: keyFile?.file, pages };
    if (config.workers > 1 && cluster.isPrimary) {
      // It has migrated the database, once, before any worker serves.
      const identity = database.kind === 'sqlite' ? await identityOfFile(database.file) : undefined;
      await store.close();
      const metrics = isObserved
        ? await serveMetrics(config, (await import('../server/worker-metrics.ts')).metricsOfWorkers())
        : undefined;
      printStartup({ ...startup, address: await startWorkers(config.workers, identity), metrics });
      return;
    }
    const openapi = readFileSync(service.openapi, 'utf8');
    const recorder = new Recorder(isObserved);
    const checkedKeys = keyCheck(keys, service.name, store, config.rateLimit);
    const limits = {
      connections: {
        count: config.maxConnections,
        stall: stallTimeout,
        idle: values['quick-stop'] ? idleTimeout.quick : idleTimeout.normal,
      },
      bufferedBytes: config.maxBufferedBytes,
    };
    const assets = [
      ...(config.docs ? (await import('../apps/reference/assets.ts')).referenceAssets() : []),
      ...(config.console ? (await import('../apps/console/assets.ts')).consoleAssets(service.title) : []),
      ...(config.docs && config.console ? [(await import('../apps/start-page.ts')).startPage(service.title)] : []),
    ];
    const { server, stop, heldBytes } = createHttpServer(service, openapi, store, checkedKeys, recorder, limits, {
      assets,
      ...config,
    });
    let metrics: string | undefined;
    if (isObserved) {
      const { metricsOf } = await import('../server/metrics.ts');
      const read = metricsOf({ routes: recorder.routes, store, keys: checkedKeys, server, heldBytes });
      if (cluster.isPrimary) metrics = await serveMetrics(config, async () => [await read()]);
      else (await import('../server/worker-metrics.ts')).offerMetrics(read);
    }
    await listen(server, config.port, config.host);
    // A worker shares the port of those that have it; if they are gone, it takes the same again.
    const { port } = server.address() as AddressInfo;
    if (cluster.isWorker && port !== portOfWorkers(port)) {
      await server[Symbol.asyncDispose]();
      await listen(server, portOfWorkers(port), config.host);
    }
    onStopSignal(
      async () => {
        await stop(config.drainSeconds * 1_000, stopTimeout, untilAllReady);
        await checkedKeys.close();
        await store.close();
        return 0;
      },
      // A worker may get a signal twice, from whoever stops the primary process and from that, which counts them.
      () => cluster.isPrimary && process.exit(1),
    );
    if (cluster.isPrimary) printStartup({ ...startup, address: server.address() as AddressInfo, metrics });
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openStore({ database, migrate }: Config, { name, tables }: Service): Promise<Store> {
  // The other engine is not loaded.
  if (database.kind === 'sqlite') {
    return (await import('../server/open-sqlite.ts')).openSqlite(database.file, tables, name, databaseOfWorkers());
  }
  return (await import('../server/open-postgres.ts')).openPostgres(database.url, tables, migrate, {
    readUrl: database.readUrl,
    service: name,
  });
}

const identityOfFile = async (file: string): Promise<string | undefined> =>
  (await import('../sqlite/file-guard.ts')).identityOf(file);

/** Serves metrics on a port of their own, on the address of the service. @returns their URL */
async function serveMetrics(
  { metricsPort = 0, host }: Config,
  collect: () => Promise<readonly (readonly Metric[])[]>,
): Promise<string> {
  const { createMetricsServer } = await import('../server/metrics-server.ts');
  const server = createMetricsServer(collect);
  await listen(server, metricsPort, host, 'METRICS_PORT');
  return `${urlOf(server.address() as AddressInfo)}/metrics`;
}

async function listen(server: Server, port: number, host: string, setting = 'PORT'): Promise<void> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    const reasons: Readonly<Record<string, string>> = {
      EADDRINUSE: `Port ${port} of ${host} is in use. Stop what uses it, or set ${setting}.`,
      EACCES: `Port ${port} is reserved. Set ${setting} to 1024 or higher.`,
      EADDRNOTAVAIL: `${host} is no address of this machine. Set HOST.`,
      ENOTFOUND: `The host name ${host} is unknown. Set HOST.`,
    };
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new CliError(reasons[code] ?? `The server cannot listen: ${message}`);
  }
}
