import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Child } from './child.ts';
import type { Engine } from './databases/database.ts';
import { Load, type Request, type Traffic } from './load.ts';
import { median, percentile } from './measure.ts';
import type { Options } from './options.ts';
import { prepare } from './prepare.ts';
import { randomFrom } from './random.ts';
import { type ServerOptions, startServer } from './server.ts';
import { grouped, tableOf } from './table.ts';
import { createLeads, getLeads } from './traffic.ts';

const source = fileURLToPath(new URL('./slow-fsync.c', import.meta.url));

/** Milliseconds that 99% of the reads beside slow writes should take at most. */
const readAim = 5;

/** Writes one after the other that show whether the delay is there. */
const probes = 20;

/** How a server is started so that each of its fsyncs takes so many milliseconds longer; undefined where it cannot be. */
function slowed(milliseconds: number, folder: string): ServerOptions | undefined {
  const library = join(folder, 'slow-fsync.so');
  const succeeds = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;
  if (process.platform !== 'linux') return undefined;
  if (succeeds('cc', '-shared', '-fPIC', '-O2', '-o', library, source)) {
    return { env: { LD_PRELOAD: library, SLOW_FSYNC_MS: String(milliseconds) } };
  }
  if (!succeeds('strace', '--version')) return undefined;
  const calls = 'fsync,fdatasync';
  const inject = `inject=${calls}:delay_enter=${milliseconds * 1000}`;
  // -D: the server stays our own child, to be stopped as such. Only these calls are to be slower.
  return {
    wrapper: ['strace', '-D', '-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', '-e', `trace=${calls}`, '-e', inject],
  };
}

interface Beside {
  readonly reads: Float64Array;
  readonly writes: Float64Array;
}

/**
 * Measures reads beside writes on SQLite, on the disk as it is and with every fsync slowed down.
 *
 * @returns the report; undefined where fsync cannot be slowed down here.
 * @throws Error where the writes show that it has not become slower.
 */
export async function measureSlowFsync(
  engine: Engine,
  options: Options,
  folder: string,
  progress: (text: string) => void,
): Promise<string | undefined> {
  const { slowFsync: delay = 0, workers, seconds, rounds, connections, seed } = options;
  const slow = slowed(delay, folder);
  if (!slow) return undefined;
  const rows = options.rows[0] as number;
  progress(`${grouped(rows)} leads`);
  const database = await prepare(engine, rows, options.keep !== undefined);

  const random = randomFrom(seed);
  const lines: string[][] = [];
  for (const [name, how] of Object.entries({ 'as it is': {}, [`${delay} ms slower`]: slow })) {
    const server = await startServer(database.url, { ...how, workers });
    const oneByOne = await oneWriteAfterTheOther(server);
    if (how === slow && oneByOne < delay) {
      throw new Error(`A write took ${oneByOne.toFixed(1)} ms: the server's fsyncs have not been slowed down.`);
    }
    const results: Beside[] = [];
    for (let i = 1; i <= rounds; i++) {
      progress(`fsync ${name}: round ${i} of ${rounds}`);
      results.push(await readBesideWrites(server, getLeads(rows, random), connections, seconds));
    }
    await server.stop();
    const of = (kind: keyof Beside, share: number): number =>
      median(results.map((result) => percentile(result[kind], share)));
    const rate = (kind: keyof Beside): number => median(results.map((result) => result[kind].length / seconds));
    lines.push([
      `fsync ${name}`,
      oneByOne.toFixed(2),
      grouped(rate('writes')),
      of('writes', 0.5).toFixed(2),
      of('writes', 0.99).toFixed(2),
      grouped(rate('reads')),
      of('reads', 0.5).toFixed(2),
      of('reads', 0.99).toFixed(2),
      of('reads', 1).toFixed(1),
      `${readAim} ${of('reads', 0.99) < readAim ? 'met   ' : 'missed'}`,
    ]);
  }
  const header = [
    `${connections} clients read, ${connections} write`,
    'a write alone ms',
    'writes/s',
    'p50 ms',
    'p99 ms',
    'reads/s',
    'p50 ms',
    'p99 ms',
    'max ms',
    'aim of p99',
  ];
  return tableOf([header, ...lines]);
}

/** @returns the shortest latency in milliseconds. */
async function oneWriteAfterTheOther(server: Child): Promise<number> {
  const creates = createLeads();
  let left = probes;
  const next = (): Request | undefined => (left-- > 0 ? creates.next() : undefined);
  const load = new Load(server.port, { next }, 1);
  await load.done;
  return Math.min(...load.takeLatencies());
}

async function readBesideWrites(server: Child, gets: Traffic, connections: number, seconds: number): Promise<Beside> {
  const writes = new Load(server.port, createLeads(), connections);
  const reads = new Load(server.port, gets, connections);
  await reads.run(500);
  reads.takeLatencies();
  writes.takeLatencies();
  await reads.run(seconds * 1000);
  const result = { reads: reads.takeLatencies().toSorted(), writes: writes.takeLatencies().toSorted() };
  await Promise.all([reads.stop(), writes.stop()]);
  return result;
}
