import cluster from 'node:cluster';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { CliError } from '../errors.ts';
import { Keys } from '../http/keys.ts';
import { createHttpServer, type HttpServer } from '../http/server.ts';
import type { Service } from '../service.ts';
import { openStore } from '../store/open.ts';
import { keyBeside, type KeyFile } from './key-file.ts';
import { onStopSignal } from './stop-signal.ts';
import { startWorkers } from './workers.ts';

/** How long the requests under way may take when the server is told to stop, in milliseconds. */
const stopGrace = 8_000;

/**
 * Starts a service from the environment and serves it until SIGTERM or SIGINT.
 *
 * @throws CliError where something keeps it from starting.
 */
export async function serve(service: Service, args: readonly string[]): Promise<void> {
  const { showKey } = readArguments(args);
  const config = readConfig(process.env);
  const { database, apiKeys } = config;
  if (database.kind === 'postgres' && apiKeys.length === 0) {
    throw new CliError(
      'API_KEYS is not set, and with PostgreSQL no key is made: several servers would have one each. Set it to keys ' +
        'separated by commas; `openssl rand -hex 32` makes one.',
    );
  }
  // Opened before a key is made: a database that is not ours gets nothing beside it.
  const store = await openStore(config, service.tables);
  try {
    const kept = database.kind === 'sqlite' && apiKeys.length === 0 ? keyBeside(database.file) : undefined;
    const keys = kept ? [kept.key] : apiKeys;
    const say = (address: AddressInfo): void => announce(service, address, kept, showKey ? keys[0] : undefined);
    if (config.workers > 1 && cluster.isPrimary) {
      // All that it was opened for is done: the schema is brought to the spec once, before anybody serves.
      await store.close();
      say(await startWorkers(config.workers));
      return;
    }
    const http = createHttpServer(service, readFileSync(service.openapi, 'utf8'), store, new Keys(keys));
    await listen(http, config.port, config.host);
    onStopSignal(
      async () => {
        await http.stop(stopGrace);
        await store.close();
        return 0;
      },
      // A worker may be told by whoever tells the main process, and by that: it alone knows which of them is the second.
      () => cluster.isPrimary && process.exit(1),
    );
    if (cluster.isPrimary) say(http.server.address() as AddressInfo);
  } catch (error) {
    await store.close();
    throw error;
  }
}

function readArguments(args: readonly string[]): { showKey: boolean } {
  try {
    const { values } = parseArgs({ args: [...args], options: { 'show-key': { type: 'boolean', default: false } } });
    return { showKey: values['show-key'] };
  } catch (error) {
    throw new CliError(`${(error as Error).message.split('. ')[0]}. The one option is --show-key.`);
  }
}

function listen({ server }: HttpServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reasons: Readonly<Record<string, string>> = {
        EADDRINUSE: `Port ${port} of ${host} is in use. Stop what uses it, or set PORT.`,
        EACCES: `Port ${port} may not be used by this user. Set PORT to 1024 or higher.`,
        EADDRNOTAVAIL: `${host} is no address of this machine. Set HOST.`,
        ENOTFOUND: `The host name ${host} is unknown. Set HOST.`,
      };
      reject(new CliError(reasons[error.code ?? ''] ?? `The server cannot listen: ${error.message}`));
    });
    server.listen(port, host, resolve);
  });
}

function announce(
  service: Service,
  { address, family, port }: AddressInfo,
  kept: KeyFile | undefined,
  key: string | undefined,
): void {
  const url = `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
  console.log(`${service.title} is serving on ${url}`);
  if (key !== undefined) {
    // A list that needs no parameters: of something that can be retrieved by its id, too.
    const paths = new Set(service.app.routes.flatMap(({ method, path }) => (method === 'GET' ? [path] : [])));
    const example = [...paths].find((path) => paths.has(`${path}/:id`));
    console.log(`API key: ${key}`);
    console.log(`Try it:  curl -H 'Authorization: Bearer ${key}' ${url}${example ?? service.basePath}`);
  } else if (kept) {
    console.log(`The API key is in ${kept.file}`);
  }
}
