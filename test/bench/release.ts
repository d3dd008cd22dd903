import { readFileSync, writeFileSync } from 'node:fs';

import { measurementsOf, type Results } from './sizes.ts';
import type { Target } from './targets.ts';

/**
 * CPU time of each operation, of server and database, as a multiple of the Hono floor's in the same run, by engine, then by operation.
 * The floor makes the figures of two machines comparable.
 */
type Figures = Readonly<Record<string, Readonly<Record<string, number>>>>;

const file = new URL('release.json', import.meta.url);

const readFigures = (): Figures => JSON.parse(readFileSync(file, 'utf8')) as Figures;

/** The name of an operation in the figures; undefined for a floor. */
const keyOf = ({ name, connections, table }: Target): string | undefined =>
  table && `${name}, ${table.rows} rows, ${connections} clients`;

/** The figures of a run, by operation. Noise only ever adds CPU time, so each is that of the minima. */
function figuresOf(results: Results): Record<string, number> {
  const figures: Record<string, number> = {};
  for (const [index, target] of results.targets.entries()) {
    const key = keyOf(target);
    if (key === undefined) continue;
    const measured = measurementsOf(results, index);
    const cpu = Math.min(...measured.map(({ cpu: own, databaseCpu }) => own + (databaseCpu || 0)));
    const floor = Math.min(...measured.map(({ floorCpu }) => floorCpu));
    figures[key] = Number((cpu / floor).toPrecision(3));
  }
  return figures;
}

/** The figures of each target of a run as multiples of those of the last release; undefined if the release has none. */
export function againstRelease(engine: string, results: Results): readonly (number | undefined)[] {
  const figures = figuresOf(results);
  const kept = readFigures()[engine];
  return results.targets.map((target) => {
    const key = keyOf(target) ?? '';
    const before = kept?.[key];
    return before === undefined ? undefined : (figures[key] ?? NaN) / before;
  });
}

/** Keeps the figures of a run as those of the release that is made now; figures that it did not measure stay. */
export function keepAsRelease(engine: string, results: Results): void {
  const kept = readFigures();
  const all = { ...kept, [engine]: { ...kept[engine], ...figuresOf(results) } };
  writeFileSync(file, `${JSON.stringify(all, undefined, 2)}\n`);
}
