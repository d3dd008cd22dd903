import { log } from './log.ts';
import type { TracedResponse } from './response.ts';
import { Route } from './route.ts';

/** The status of a request whose client left before its response was sent, as nginx has it: no response has it. */
const clientClosedRequest = 499;

/** Logs and counts requests, once they are over. */
export class Recorder {
  /** The routes that requests have come to: as few as the operations of a service, whatever clients request. */
  readonly routes = new Map<string, Route>();
  /** Whether requests are counted. */
  counts = false;
  readonly #log = log.request;

  /** @param response is over: sent in full, or ended by the client */
  record(response: TracedResponse): void {
    if (!this.counts && !this.#log) return;
    const milliseconds = performance.now() - response.startedAt;
    const hasResponse = response.headersSent || response.code !== undefined;
    const status = hasResponse ? response.statusCode : clientClosedRequest;
    // No pattern: the response was sent before the request was routed, or no route matches.
    const { pattern = 'none', req } = response;
    const { method = '-' } = req;
    const route = this.routes.getOrInsertComputed(`${method} ${pattern}`, () => new Route(method, pattern));
    if (this.counts) route.count(status, milliseconds / 1000);
    this.#log?.(route, status, milliseconds, response);
  }
}
