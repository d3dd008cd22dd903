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
