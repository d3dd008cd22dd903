import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

import { percentile } from '../bench/measure.ts';

/** Measurements of the quiet client over a period. */
export interface Seen {
  /** Milliseconds of each answer, and of the pending request so far. */
  readonly latencies: readonly number[];
  /** The same without the time in which other programs had the processors. */
  readonly ownLatencies: readonly number[];
  /** Answers that are no success, and ends of the connection. */
  readonly errors: readonly string[];
}

/** Latencies in milliseconds. */
export interface Latencies {
  readonly p99: number;
  readonly longest: number;
}

/** The figures of the quiet client. */
export interface Quiet {
  readonly all: Latencies;
  /**
   * Without the time in which the server, or the quiet client, was ready to run and other threads had the processors: what
   * the service itself makes its clients wait, on a machine however busy.
   */
  readonly own: Latencies;
  readonly errors: readonly string[];
}

function latenciesOf(values: readonly number[]): Latencies {
  const sorted = Float64Array.from(values).toSorted();
  return { p99: percentile(sorted, 0.99), longest: sorted.at(-1) ?? NaN };
}

/** Sends the same request again and again, and is the judge of an attack by what it sees. */
export class QuietClient implements Disposable {
  readonly #process: ChildProcess;

  constructor(server: { readonly port: number; readonly pid: number }, request: Uint8Array) {
    const args = [String(server.port), String(server.pid), Buffer.from(request).toString()];
    this.#process = fork(new URL('quiet-client.ts', import.meta.url), args, { execArgv: [] });
  }

  /** Merges the measurements of these clients since the last call, or since their start. */
  static async take(clients: readonly QuietClient[]): Promise<Quiet> {
    const all = await Promise.all(clients.map((client) => client.#seen()));
    return {
      all: worstOf(all.map(({ latencies }) => latenciesOf(latencies))),
      own: worstOf(all.map(({ ownLatencies }) => latenciesOf(ownLatencies))),
      errors: [...new Set(all.flatMap(({ errors }) => errors))],
    };
  }

  async #seen(): Promise<Seen> {
    const seen = once(this.#process, 'message');
    this.#process.send('take');
    return ((await seen) as [Seen])[0];
  }

  [Symbol.dispose](): void {
    this.#process.kill('SIGKILL');
  }
}

/** Each client is to be as well off as the others. */
const worstOf = (all: readonly Latencies[]): Latencies => ({
  p99: Math.max(...all.map(({ p99 }) => p99)),
  longest: Math.max(...all.map(({ longest }) => longest)),
});
