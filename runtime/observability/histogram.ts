/**
 * A histogram of plain numbers, as Prometheus counts them. An observation costs a comparison for each bucket below it: one
 * of prom-client also hashes its labels, and takes ten times as long.
 */
export class Histogram {
  /** The upper limits of the buckets, ascending; above the last one is another bucket. */
  readonly limits: readonly number[];
  /** The observations in each bucket alone. */
  readonly counts: number[];
  sum = 0;

  constructor(limits: readonly number[]) {
    this.limits = limits;
    this.counts = Array.from({ length: limits.length + 1 }, () => 0);
  }

  observe(value: number): void {
    const { limits, counts } = this;
    let bucket = 0;
    while (bucket < limits.length && value > (limits[bucket] as number)) bucket++;
    (counts[bucket] as number)++;
    this.sum += value;
  }
}

/** Seconds, from a read from the cache to the longest wait for a lock. */
export const durationLimits = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
