import { type Measurement, median, medianOf } from './measure.ts';
import { measurementsOf, type Results } from './sizes.ts';
import { grouped, judged, tableOf } from './table.ts';

/** Explains the column `cacheable` of the operations. */
export const cacheNote =
  'Cacheable: "answer", each request is the same; "records", the records are few; "some", those of a part of the requests.';

/** CPU times of a target as multiples of the floor's, one for each round. */
const ratiosOf = (results: Results, target: number): number[] =>
  measurementsOf(results, target).map(({ cpu, floorCpu }) => cpu / floorCpu);

/**
 * A line for each target; with `aims`, also what it should take. `release` has the multiple of each target's last release.
 */
export function operationsTable(results: Results, aims: boolean, release: readonly (number | undefined)[]): string {
  const { targets } = results;
  const medians = targets.map((_, i) => medianOf(measurementsOf(results, i)));
  const withDatabase = medians.some(({ databaseCpu }) => !Number.isNaN(databaseCpu));
  const header = [
    'Operation',
    'rows',
    'clients',
    'cacheable',
    'requests/s',
    'p50 ms',
    'p99 ms',
    'busy',
    'CPU µs/request',
    ...(withDatabase ? ["database's µs"] : []),
    '× Hono floor',
    'min–max',
    'of minima',
    '× release',
    ...(aims ? ['aim'] : []),
  ];
  const lines = targets.map((target, i) => {
    const { rate, p50, p99, busy, cpu, databaseCpu } = medians[i] as Measurement;
    const ratios = ratiosOf(results, i);
    const leastOf = (name: 'cpu' | 'floorCpu'): number =>
      Math.min(...measurementsOf(results, i).map((measurement) => measurement[name]));
    const { rows, operation } = target.table ?? {};
    const aim = operation?.aim;
    return [
      target.name,
      rows === undefined ? '' : grouped(rows),
      String(target.connections),
      operation?.cacheable ?? '',
      grouped(rate),
      p50.toFixed(2),
      p99.toFixed(2),
      `${(busy * 100).toFixed(0)}%`,
      grouped(cpu, 1),
      ...(withDatabase ? [Number.isNaN(databaseCpu) ? '' : grouped(databaseCpu, 1)] : []),
      median(ratios).toFixed(2),
      `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
      // Noise only ever adds CPU time, to the floor as well: on a busy machine this is nearer to the truth.
      (leastOf('cpu') / leastOf('floorCpu')).toFixed(2),
      release[i]?.toFixed(2) ?? '',
      ...(aims ? [aim === undefined ? '' : judged(median(ratios), aim, 1)] : []),
    ];
  });
  return tableOf([header, ...lines]);
}
