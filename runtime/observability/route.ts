import { Histogram } from './histogram.ts';
import { durationLimits } from './limits.ts';

/** A method and a pattern like `/api/crm/lead/:id`, and the responses there. The pattern is `none` for requests that no route matches. */
export class Route {
  readonly method: string;
  readonly pattern: string;
  /** The number of responses by status. */
  readonly statuses = new Map<number, number>();
  /** In seconds. */
  readonly durations = new Histogram(durationLimits);

  constructor(method: string, pattern: string) {
    this.method = method;
    this.pattern = pattern;
  }

  count(status: number, seconds: number): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
    this.durations.observe(seconds);
  }
}
