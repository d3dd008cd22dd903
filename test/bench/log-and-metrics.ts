import { join } from 'node:path';

import type { Child } from './child.ts';
import type { Engine } from './databases/database.ts';
import { measure, median } from './measure.ts';
import type { Options } from './options.ts';
import { prepare } from './prepare.ts';
import { randomFrom } from './random.ts';
import { type ServerOptions, startServer } from './server.ts';
import { grouped, tableOf } from './table.ts';
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
  { rows, connections, seconds, rounds, seed }: Options,
  folder: string,
  progress: (text: string) => void,
): Promise<string> {
  const database = await prepare(engine, rows[0] as number, false);
  const output = (name: string): string => join(folder, `${name}.log`);
  const settings: Readonly<Record<string, ServerOptions>> = {
    neither: {},
    log: { output: output('log') },
    metrics: { env: { METRICS_PORT: '0' } },
    both: { output: output('both'), env: { METRICS_PORT: '0' } },
  };
  const servers: [string, Child][] = [];
  for (const [name, options] of Object.entries(settings)) {
    servers.push([name, await startServer(database.url, { ...options, observed: true })]);
  }
  const cpu = new Map<string, number[]>(servers.map(([name]) => [name, []]));
  for (let round = 1; round <= rounds; round++) {
    progress(`round ${round} of ${rounds}`);
    // Each second round the other way around.
    for (const [name, server] of round % 2 ? servers : servers.toReversed()) {
      const traffic = getLeads(cached, randomFrom(seed));
      const measured = await measure({ name, server, traffic, connections }, { seconds, warmUp: seconds / 2 });
      cpu.get(name)?.push(measured.cpu);
    }
  }
  await Promise.all(servers.map(([, server]) => server.stop()));
  const base = cpu.get('neither') as number[];
  const lines = [...cpu].map(([name, values]) => [
    name,
    Math.min(...values).toFixed(1),
    (Math.min(...values) / Math.min(...base)).toFixed(2),
    median(values.map((value, i) => value / (base[i] as number))).toFixed(2),
  ]);
  return tableOf([[`${grouped(cached)} cached leads`, 'least µs', 'ratio', 'median ratio'], ...lines]);
}
