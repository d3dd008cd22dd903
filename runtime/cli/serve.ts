import cluster from 'node:cluster';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { CliError } from '../model/errors.ts';
import { KeyCheck } from '../auth/keys.ts';
import { createHttpServer } from '../server/server.ts';
import { log, openLog } from '../observability/log.ts';
import type { Metric } from '../server/metrics.ts';
import { Recorder } from '../observability/recorder.ts';
import type { Service } from '../api/service.ts';
import { describeSettings, readSettings, type Settings, settings } from '../server/settings.ts';
import { hookedEvents } from '../records/hooks.ts';
import type { Store } from '../records/store.ts';
import { parseArguments } from './arguments.ts';
import { keyBeside } from '../server/key-file.ts';
import { printStartup, urlOf } from '../server/startup.ts';
import { onStopSignal } from '../server/stop-signal.ts';
import { idleTimeouts, stallTimeout } from '../server/limits.ts';
import { stopListening } from '../server/connections.ts';
import { callHooks } from '../server/after-hooks.ts';
import { scheduleRetention } from '../server/retention.ts';
import { withEngine } from '../migrations/engine.ts';
import { hasWebhooks } from '../webhooks/queue.ts';
import { Webhooks } from '../webhooks/webhooks.ts';
import { databaseOfWorkers, serveConnections, startWorkers } from '../server/workers.ts';

const settingLines = Object.entries(settings).map(
  ([name, { default: absent, meaning }]) =>
    `  ${name.padEnd(17)}  ${meaning}${absent === '' ? '' : ` (default: ${absent})`}`,
);

export const help = `Serves the generated code, after migrating the database to the spec if necessary.

Usage: npm start -- [options]

Options:
  --verbose     prints the settings in use, without keys and passwords
  --show-key    prints the first API key and a curl command to try
  --quick-stop  ends idle connections 0.1 seconds after a signal to stop, not 1 second
  --help, -h    prints this

Settings, from the environment or the file .env in this folder:
${settingLines.join('\n')}

Examples:
  npm start                          serves data/records.db on http://127.0.0.1:3000
  npm start -- --verbose --show-key  the same, and prints settings and key
`;

const flag = { type: 'boolean' } as const;
const options = { verbose: flag, 'show-key': flag, 'quick-stop': flag };

/**
 * Starts a service from the environment and serves it until SIGTERM or SIGINT.
 *
 * @throws CliError if something keeps it from starting.
 */
export async function run(service: Service, args: readonly string[]): Promise<void> {
  const { values } = parseArguments({ help, options }, args);
  // A server outlives the reader of what it prints: a broken pipe without a listener would end it.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const config = readSettings(process.env);
  if (values.verbose && cluster.isPrimary) {
    console.log(['The settings in use:', ...describeSettings(process.env)].join('\n'));
  }
  const { DATABASE_URL: database, API_KEYS: apiKeys = [] } = config;
  const isObserved = config.METRICS_PORT !== undefined;
  const drain = config.DRAIN_SECONDS * 1_000;
  if (database.kind === 'postgres' && apiKeys.length === 0) {
    throw new CliError(
      'API_KEYS is not set, and with PostgreSQL no key is created: several servers would have one each. Set it to keys ' +
        'separated by commas; `openssl rand -hex 32` makes one.',
    );
  }
  await openLog(config.LOG_LEVEL);
  // Opened before a key is created: nothing is written beside a foreign database.
  const store = await openStore(config, service);
  try {
    const keyFile = database.kind === 'sqlite' && apiKeys.length === 0 ? keyBeside(database.file) : undefined;
    const keys = keyFile ? [keyFile.key] : apiKeys;
    const shownKey = values['show-key'] ? keys[0] : undefined;
    const pages = { ...(config.DOCS && { Reference: '/docs' }), ...(config.CONSOLE && { Console: '/console' }) };
    const isHooked = hookedEvents(service.tables).length > 0;
    const webhooks = cluster.isPrimary ? openWebhooks(config, service, isHooked ? store : undefined) : undefined;
    const data = { database: config.DATABASE_URL, service: service.name, days: config.EVENTS_KEEP };
    const endRetention = cluster.isPrimary ? scheduleRetention(data) : undefined;
    const startup = { service, shownKey, keyFile: keyFile?.file, pages };
    if (config.WORKERS > 1 && cluster.isPrimary) {
      // It has migrated the database, once, before any worker serves.
      const identity = database.kind === 'sqlite' ? await identityOfFile(database.file) : undefined;
      if (!isHooked) await store.close();
      const metrics = isObserved
        ? await serveMetrics(config, (await import('../server/metrics.ts')).metricsOfWorkers(), webhooks)
        : undefined;
      const listenHere = (listener: Server): Promise<AddressInfo> => listen(listener, config.PORT, config.HOST);
      const close = async (): Promise<void> => {
        endRetention?.();
        await webhooks?.close();
        if (isHooked) await store.close();
      };
      const address = await startWorkers(config.WORKERS, identity, drain, listenHere, close);
      printStartup({ ...startup, address, metrics });
      return;
    }
    const openapi = readFileSync(service.openapi, 'utf8');
    const recorder = new Recorder(isObserved);
    const checkedKeys = new KeyCheck(
      keys,
      service.name,
      store,
      process.env['RATE_LIMIT'] ? config.RATE_LIMIT : undefined,
    );
    const assets = [
      ...(config.DOCS ? (await import('../apps/reference/assets.ts')).referenceAssets() : []),
      ...(config.CONSOLE
        ? (await import('../apps/console/assets.ts')).consoleAssets(service.title, service.tables)
        : []),
      ...(config.DOCS && config.CONSOLE ? [(await import('../apps/start-page.ts')).startPage(service.title)] : []),
    ];
    const { server, stop, ...counts } = createHttpServer(service, openapi, store, checkedKeys, recorder, {
      connections: {
        count: config.MAX_CONNECTIONS,
        stall: stallTimeout,
        idle: values['quick-stop'] ? idleTimeouts.quick : idleTimeouts.normal,
      },
      bufferedBytes: Math.floor((config.MAX_BUFFERED_MIB * 1_048_576) / config.WORKERS),
      assets,
      pathPrefix: config.PATH_PREFIX,
      corsOrigins: config.CORS_ORIGINS,
    });
    let metrics: string | undefined;
    if (isObserved) {
      const { metricsOf, offerMetrics } = await import('../server/metrics.ts');
      const read = metricsOf({ routes: recorder.routes, store, keys: checkedKeys, ...counts });
      if (cluster.isPrimary) metrics = await serveMetrics(config, async () => [await read()], webhooks);
      else offerMetrics(read);
    }
    const close = async (untilNotAccepting: () => Promise<void>): Promise<number> => {
      await stop(untilNotAccepting);
      endRetention?.();
      await webhooks?.close();
      await checkedKeys.close();
      await store.close();
      return 0;
    };
    if (cluster.isWorker) return serveConnections(server, close);
    onStopSignal(
      () => close(() => stopListening(server, drain)),
      () => process.exit(1),
    );
    printStartup({ ...startup, address: await listen(server, config.PORT, config.HOST), metrics });
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function openStore(config: Settings, { name, tables }: Service): Promise<Store> {
  const database = config.DATABASE_URL;
  // The other engine is not loaded.
  if (database.kind === 'sqlite') {
    const { openSqlite } = await import('../server/open-sqlite.ts');
    const store = await openSqlite(database.file, tables, name, databaseOfWorkers());
    const { networkDiskWarning } = await import('../sqlite/network-disk.ts');
    const warning = cluster.isPrimary ? networkDiskWarning(database.file) : undefined;
    if (warning !== undefined) log.warn(warning);
    return store;
  }
  return (await import('../server/open-postgres.ts')).openPostgres(database.url, tables, config.MIGRATE, {
    readUrl: config.READ_DATABASE_URL,
    service: name,
  });
}

/** @param store by which hooks after events read and write; undefined if there are none */
function openWebhooks(
  { DATABASE_URL: database, WEBHOOK_PRIVATE: allowsPrivate }: Settings,
  { name, tables }: Service,
  store: Store | undefined,
): Webhooks {
  const hooks = store && { channel: callHooks(store), events: hookedEvents(tables) };
  const data = { database, service: name, allowsPrivate, hooks };
  return new Webhooks(data, () => withEngine(database, name, 'read', hasWebhooks));
}

const identityOfFile = async (file: string): Promise<string | undefined> =>
  (await import('../sqlite/file-guard.ts')).identityOf(file);

/** Serves metrics on a port of their own, on the address of the service. @returns their URL */
async function serveMetrics(
  { METRICS_PORT: port = 0, HOST: host }: Settings,
  collect: () => Promise<readonly (readonly Metric[])[]>,
  webhooks: Webhooks | undefined,
): Promise<string> {
  const { createMetricsServer, metricsOfWebhooks } = await import('../server/metrics.ts');
  const server = createMetricsServer(async () => [
    ...(await collect()),
    ...(webhooks ? [metricsOfWebhooks(webhooks.counts)] : []),
  ]);
  return `${urlOf(await listen(server, port, host, 'METRICS_PORT'))}/metrics`;
}

async function listen(server: Server, port: number, host: string, setting = 'PORT'): Promise<AddressInfo> {
  try {
    await once(server.listen(port, host), 'listening');
    return server.address() as AddressInfo;
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
