import { Load } from './load.ts';
import type { Target } from './targets.ts';

/** The figures of one measured window. */
export interface Measurement {
  /** Answers per second. */
  readonly rate: number;
  /** Latencies in milliseconds, with all connections busy. */
  readonly p50: number;
  readonly p99: number;
  /** CPU time of the server, all threads and processes, user and system, in microseconds per answer. */
  readonly cpu: number;
  /** CPU time of the database's own processes, in microseconds per answer; NaN where it cannot be seen. */
  readonly databaseCpu: number;
  /** CPU time of the server per time gone by: 1 is one core. */
  readonly busy: number;
}

/** A measurement, with the base of its comparison. */
export interface Compared extends Measurement {
  /** CPU time of the Hono floor shortly before, in microseconds per answer. */
  readonly floorCpu: number;
}

interface WindowOptions {
  /** Length of the measured window in seconds. */
  readonly seconds: number;
  /** Seconds of the same load before it. */
  readonly warmUp: number;
}

/** Puts a server under load and measures it from outside, once. */
export async function measure(target: Target, { seconds, warmUp }: WindowOptions): Promise<Measurement> {
  const { server, database, traffic, connections } = target;
  const load = new Load(server.port, traffic, connections);
  await load.run(warmUp * 1000);
  // The load goes on while the server is asked, so that the window has no ramps.
  const databaseBefore = await database?.cpu();
  const { cpu: cpuBefore } = await server.usage();
  const begin = performance.now();
  load.takeLatencies();
  await load.run(seconds * 1000);
  const { cpu: cpuAfter } = await server.usage();
  const elapsed = performance.now() - begin; // milliseconds
  const latencies = load.takeLatencies().toSorted();
  const databaseAfter = await database?.cpu();
  await load.stop();

  const cpu = cpuAfter - cpuBefore;
  return {
    rate: latencies.length / (elapsed / 1000),
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    cpu: cpu / latencies.length,
    databaseCpu: ((databaseAfter ?? NaN) - (databaseBefore ?? NaN)) / latencies.length,
    busy: cpu / 1000 / elapsed,
  };
}

/** The percentile of sorted numbers at this share; NaN if there are none. */
export function percentile(sorted: Float64Array, share: number): number {
  return sorted[Math.ceil(sorted.length * share) - 1] ?? NaN;
}

/** The middle one, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? NaN) + (sorted[Math.floor(middle)] ?? NaN)) / 2;
}

/** The median of every number, each by itself. */
export function medianOf(measurements: readonly Measurement[]): Measurement {
  const of = (name: keyof Measurement): number => median(measurements.map((measurement) => measurement[name]));
  return {
    rate: of('rate'),
    p50: of('p50'),
    p99: of('p99'),
    cpu: of('cpu'),
    databaseCpu: of('databaseCpu'),
    busy: of('busy'),
  };
}
