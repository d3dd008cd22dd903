import { join } from 'node:path';

import type { Child } from './child.ts';
import type { Engine } from './databases/database.ts';
import { compare } from './compare.ts';
import type { Options } from './options.ts';
import { prepare } from './prepare.ts';
import { randomFrom } from './random.ts';
import { type ServerOptions, startServer } from './server.ts';
import { grouped } from './table.ts';
import { getLeads } from './traffic.ts';

/** Leads that are read: all of them come from the record cache, where what is added weighs most. */
const cached = 200;

/**
 * Measures the CPU time of a get with a log, metrics and both, against a server with neither. The servers are measured in
 * turn, in short windows, so that what other programs do meanwhile is the same for each.
 *
 * @returns the report
 */
export async function measureLogAndMetrics(
  engine: Engine,
  options: Options,
  folder: string,
  progress: (text: string) => void,
): Promise<string> {
  const { rows, seed } = options;
  const database = await prepare(engine, rows[0] as number, false);
  const output = (name: string): string => join(folder, `${name}.log`);
  const settings: Readonly<Record<string, ServerOptions>> = {
    neither: {},
    log: { output: output('log') },
    metrics: { env: { METRICS_PORT: '0' } },
    both: { output: output('both'), env: { METRICS_PORT: '0' } },
  };
  const servers: [string, Child][] = [];
  for (const [name, setting] of Object.entries(settings)) {
    servers.push([name, await startServer(database.url, { ...setting, observed: true })]);
  }
  const traffic = getLeads(cached, randomFrom(seed));
  const variants = servers.map(([name, server]) => ({ name, server, traffic }));
  const table = await compare(`${grouped(cached)} cached leads`, variants, options, progress);
  await Promise.all(servers.map(([, server]) => server.stop()));
  return table;
}
