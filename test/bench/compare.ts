import type { Child } from './child.ts';
import type { Traffic } from './load.ts';
import { measure, median } from './measure.ts';
import type { Options } from './options.ts';
import { tableOf } from './table.ts';

interface Variant {
  readonly name: string;
  readonly server: Child;
  readonly traffic: Traffic;
}

/**
 * Measures the CPU time of a request in several variants, the first of which is what the others are compared with. They are
 * measured in turn, in short windows, so that what other programs do meanwhile is the same for each.
 *
 * @returns the table
 */
export async function compare(
  title: string,
  variants: readonly Variant[],
  { connections, seconds, rounds }: Options,
  progress: (text: string) => void,
): Promise<string> {
  const cpu = new Map<string, number[]>(variants.map(({ name }) => [name, []]));
  for (let round = 1; round <= rounds; round++) {
    progress(`round ${round} of ${rounds}`);
    // Each second round the other way around.
    for (const variant of round % 2 ? variants : variants.toReversed()) {
      const measured = await measure({ ...variant, connections }, { seconds, warmUp: seconds / 2 });
      cpu.get(variant.name)?.push(measured.cpu);
    }
  }
  const base = [...cpu.values()][0] as number[];
  const lines = [...cpu].map(([name, values]) => [
    name,
    Math.min(...values).toFixed(1),
    (Math.min(...values) / Math.min(...base)).toFixed(2),
    median(values.map((value, i) => value / (base[i] as number))).toFixed(2),
  ]);
  return tableOf([[title, 'least µs', 'ratio', 'median ratio'], ...lines]);
}
