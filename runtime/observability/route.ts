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

/** The routes that requests have come to. They are as few as the operations of a service, whatever clients request. */
export class Routes {
  readonly #byPattern = new Map<string, Map<string, Route>>();

  get all(): Route[] {
    return [...this.#byPattern.values()].flatMap((byMethod) => [...byMethod.values()]);
  }

  /** @param pattern undefined for requests whose response was sent before they were routed, or that no route matches */
  of(method = '-', pattern = 'none'): Route {
    const byMethod = this.#byPattern.getOrInsertComputed(pattern, () => new Map());
    return byMethod.getOrInsertComputed(method, () => new Route(method, pattern));
  }
}
