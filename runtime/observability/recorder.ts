import { log } from './log.ts';
import { type RecordedResponse, TracedResponse, recordedBy } from './response.ts';
import { Routes } from './route.ts';

/** The status of a request whose client left before it was answered, as nginx has it: no response has it. */
const clientClosedRequest = 499;

/** An answer to what Node could not read as a request. */
interface UnreadableRequest {
  readonly requestId: string;
  readonly status: number;
  readonly code: string;
  readonly bytes: number;
}

/** Logs and counts requests, once they are over. */
export class Recorder {
  readonly routes = new Routes();
  /** The class of responses that are recorded here. */
  readonly Response: typeof TracedResponse;
  readonly #counts: boolean;
  readonly #log = log.request;

  /** @param counts whether requests are counted; whether they are logged, the open log says */
  constructor(counts = false) {
    this.#counts = counts;
    this.Response = counts || this.#log ? recordedBy((response) => this.#record(response)) : TracedResponse;
  }

  /** Records what was answered without a response. */
  refused({ requestId, status, code, bytes }: UnreadableRequest): void {
    const route = this.routes.of();
    if (this.#counts) route.count(status, 0);
    this.#log?.(route, { requestId, status, milliseconds: 0, bytes, code, principal: undefined, isAborted: false });
  }

  #record(response: RecordedResponse): void {
    const { requestId, code, bytes, principal, writableFinished } = response;
    const milliseconds = performance.now() - response.startedAt;
    const isAnswered = response.headersSent || code !== undefined;
    const status = isAnswered ? response.statusCode : clientClosedRequest;
    const route = this.routes.of(response.req.method, response.pattern);
    if (this.#counts) route.count(status, milliseconds / 1000);
    this.#log?.(route, { requestId, status, milliseconds, bytes, code, principal, isAborted: !writableFinished });
  }
}
