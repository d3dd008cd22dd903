import { Random as DemoRandom } from '../../runtime/data/demo/values.ts';

/** Random choices that a seed repeats. */
export class Random extends DemoRandom {
  /** A whole number from 0 to `below`, `below` excluded. */
  below(below: number): number {
    return this.between(0, below - 1);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** The one of a weight's key, as often as the weights say. */
  weighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries<number>(weights) as [K, number][];
    let left = this.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      left -= weight;
      if (left < 0) return key;
    }
    return entries[0]![0];
  }

  shuffled<T>(all: readonly T[]): T[] {
    const rest = [...all];
    return all.map(() => rest.splice(this.below(rest.length), 1)[0] as T);
  }
}
