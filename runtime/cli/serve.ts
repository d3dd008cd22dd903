import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import type { Server } from 'node:net';
import { parseArguments } from '../commands/arguments.ts';
import { onStopSignal, stopListening } from '../commands/stop.ts';
import type { CommandContext, Features, Program } from '../kernel/feature.ts';
import { allCodes } from '../kernel/model/error-codes.ts';
import type { Asset } from '../kernel/model/asset.ts';
import { plainPipeline } from '../kernel/records/perform.ts';
import type { Store } from '../kernel/records/store.ts';
import type { Listening, Processes, Running } from '../kernel/running.ts';
import type { Service } from '../kernel/api/service.ts';
import type { Setting, SettingsOf } from '../kernel/settings.ts';
import { log, openLog } from '../observability/log.ts';
import { Recorder } from '../observability/recorder.ts';
import { idleTimeouts, stallTimeout } from '../server/limits.ts';
import { listen } from '../server/listen.ts';
import { metricsOfService } from '../server/metrics.ts';
import { createHttpServer } from '../server/server.ts';
import { describeSettings, serverSettings, settingsOf } from '../server/settings.ts';
import { printStartup } from '../server/startup.ts';

type Settings = SettingsOf<typeof serverSettings>;

const lineOf = ([name, { default: absent, meaning }]: [string, Setting]): string =>
  `  ${name.padEnd(17)}  ${meaning}${absent === '' ? '' : ` (default: ${absent})`}`;

const helpOf = (
  features: Features,
): string => `Serves the generated code, after migrating the database to the spec if necessary.

Usage: npm start -- [options]

Options:
  --verbose     prints the settings in use, without keys and passwords
  --show-key    prints the first API key and a curl command to try
  --quick-stop  ends idle connections 0.1 seconds after a signal to stop, not 1 second
  --help, -h    prints this

Settings, from the environment or the file .env in this folder:
${Object.entries(settingsOf(features)).map(lineOf).join('\n')}

Examples:
  npm start                          serves data/records.db on http://127.0.0.1:3000
  npm start -- --verbose --show-key  the same, and prints settings and key
`;

const flag = { type: 'boolean' } as const;
const options = { verbose: flag, 'show-key': flag, 'quick-stop': flag };

/** The command that serves with some features. */
export const serveProgram = (features: Features): Program => ({ help: helpOf(features), run });

/**
 * Starts a service from the environment and serves it until SIGTERM or SIGINT.
 *
 * @throws CliError if something keeps it from starting.
 */
async function run(context: CommandContext, args: readonly string[]): Promise<void> {
  const { features, settings } = context;
  const { values } = parseArguments({ help: helpOf(features), options }, args);
  // A server outlives the reader of what it prints: a broken pipe without a listener would end it.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const config = settings(serverSettings);
  if (values.verbose && cluster.isPrimary) {
    console.log(['The settings in use:', ...describeSettings(settingsOf(features), process.env)].join('\n'));
  }
  let processes: Processes | undefined;
  for (const { prepare } of features.list) processes = (await prepare?.(settings)) || processes;
  await openLog(config.LOG_LEVEL);
  const parts = new AsyncDisposableStack();
  try {
    const running = await startParts(context, config, processes, parts);
    const listening = running.serves
      ? await serveHere(context, running, config, processes, parts, values['quick-stop'] === true)
      : await serveElsewhere(running, config, processes as Processes, parts);
    if (listening) printStartup(running, config, listening, values['show-key'] === true);
  } catch (error) {
    await parts.disposeAsync();
    throw error;
  }
}

/** Opens the store, and starts the parts of features. */
async function startParts(
  { service, features, settings }: CommandContext,
  config: Settings,
  processes: Processes | undefined,
  parts: AsyncDisposableStack,
): Promise<Running> {
  // Opened before a key is created: nothing is written beside a foreign database.
  const store = parts.adopt(await openStore(service, features, config, processes), (opened) => opened.close());
  const parameters = features.list.flatMap((feature) => feature.parameters ?? []);
  const around = await Promise.all(features.list.flatMap((feature) => feature.around?.(service, parameters) ?? []));
  const running: Running = {
    service,
    module: features.module,
    settings,
    store,
    pipeline: around.reduce((next, add) => add(next), plainPipeline(features.list)),
    parameters,
    recorder: new Recorder(),
    number: processes?.number ?? 0,
    serves: cluster.isWorker || (processes?.count ?? 1) === 1,
    metrics: [],
    facts: {},
    listen: (server, port, setting) => listen(server, port, config.HOST, setting),
  };
  for (const { start } of features.list) {
    const part = await start?.(running);
    if (part) parts.use(part);
  }
  return running;
}

/** Has other processes serve. */
async function serveElsewhere(
  running: Running,
  { DATABASE_URL: database, DRAIN_SECONDS: seconds, PORT: port }: Settings,
  processes: Processes,
  parts: AsyncDisposableStack,
): Promise<Listening> {
  // It has migrated the database, once, before any other process serves.
  if (!running.keepsStore) await running.store.close();
  const { identityOf } = await import('../engines/sqlite/file-guard.ts');
  const identity = database.kind === 'sqlite' ? identityOf(database.file) : undefined;
  const begin = (server: Server): Promise<Listening> => running.listen(server, port, 'PORT');
  return processes.start(identity, seconds * 1_000, begin, () => parts.disposeAsync());
}

/** Serves in this process. @returns undefined if another one has started it */
async function serveHere(
  { features }: CommandContext,
  running: Running,
  config: Settings,
  processes: Processes | undefined,
  parts: AsyncDisposableStack,
  isQuickStop: boolean,
): Promise<Listening | undefined> {
  const { service, store, pipeline, parameters, recorder, access, metrics } = running;
  const served = features.list.filter(({ name }) => !service.off?.includes(name));
  const { server, stop, ...counts } = createHttpServer(
    service,
    readFileSync(service.openapi, 'utf8'),
    store,
    access,
    recorder,
    {
      connections: {
        count: config.MAX_CONNECTIONS,
        stall: stallTimeout,
        idle: isQuickStop ? idleTimeouts.quick : idleTimeouts.normal,
      },
      bufferedMebibytes: config.MAX_BUFFERED_MIB / (processes?.count ?? 1),
      assets: await assetsOf(running, config),
      parameters,
      pipeline,
      codes: allCodes(features.list),
      routes: await Promise.all(served.flatMap(({ routes }) => routes?.() ?? [])),
      keyed: served.flatMap(({ keyed = [] }) => keyed),
      pathPrefix: config.PATH_PREFIX,
      corsOrigins: config.CORS_ORIGINS,
    },
  );
  if (!access) log.warn('Requests need no key, and may do everything: no feature checks them.');
  metrics.push(() => metricsOfService({ routes: recorder.routes, store, ...counts }));
  const close = async (untilNotAccepting: () => Promise<void>): Promise<number> => {
    await stop(untilNotAccepting);
    await parts.disposeAsync();
    return 0;
  };
  if (cluster.isWorker) return processes?.serve(server, close) as undefined;
  onStopSignal(
    () => close(() => stopListening(server, config.DRAIN_SECONDS * 1_000)),
    () => process.exit(1),
  );
  return running.listen(server, config.PORT, 'PORT');
}

async function assetsOf({ service }: Running, { DOCS: hasDocs, CONSOLE: hasConsole }: Settings): Promise<Asset[]> {
  return [
    ...(hasDocs ? (await import('../apps/reference/assets.ts')).referenceAssets(service.title, hasConsole) : []),
    ...(hasConsole ? (await import('../apps/console/assets.ts')).consoleAssets(service.title, service.tables) : []),
    ...(hasDocs && hasConsole ? [(await import('../apps/start-page.ts')).startPage(service.title)] : []),
  ];
}

async function openStore(
  { name, tables }: Service,
  features: Features,
  config: Settings,
  processes: Processes | undefined,
): Promise<Store> {
  const database = config.DATABASE_URL;
  // The other engine is not loaded.
  if (database.kind === 'sqlite') {
    const { openSqlite } = await import('../server/open-sqlite.ts');
    const store = await openSqlite(features, database.file, tables, name, processes?.database);
    const { networkDiskWarning } = await import('../engines/sqlite/network-disk.ts');
    const warning = cluster.isPrimary ? networkDiskWarning(database.file) : undefined;
    if (warning !== undefined) log.warn(warning);
    return store;
  }
  return (await import('../server/open-postgres.ts')).openPostgres(features, database.url, tables, config.MIGRATE, {
    settings: config,
    service: name,
  });
}
