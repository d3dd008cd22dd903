import { durationLimits, Histogram } from './histogram.ts';

/** A method and a pattern like `/api/crm/lead/:id`, and what was answered there. Of requests that no route has matched, the pattern is `none`. */
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

/** The routes of a service. They are as many as its operations, whatever clients request. */
export class Routes {
  readonly all: Route[] = [];
  readonly #unmatched = new Map<string, Route>();

  add(method: string, pattern: string): Route {
    const route = new Route(method, pattern);
    this.all.push(route);
    return route;
  }

  /** The route of requests that were answered before they were routed, or that none matches. Node knows 34 methods. */
  unmatched(method: string): Route {
    return this.#unmatched.getOrInsertComputed(method, () => this.add(method, 'none'));
  }
}
