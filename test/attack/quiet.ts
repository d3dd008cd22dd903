import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

import { percentile } from '../bench/measure.ts';

/** What the quiet client has seen in a time. */
export interface Seen {
  /** Of every answer, and of a request that is not answered yet, in milliseconds. */
  readonly latencies: readonly number[];
  /** Answers other than 200, and ends of the connection. */
  readonly errors: readonly string[];
}

/** The same as figures: latencies in milliseconds. */
export interface Quiet {
  readonly count: number;
  readonly p99: number;
  readonly longest: number;
  readonly errors: readonly string[];
}

/** Runs the quiet client, who asks for one record again and again, and is the judge of every attack. */
export class QuietClient implements Disposable {
  readonly #process: ChildProcess;

  constructor(port: number, path: string, key: string) {
    this.#process = fork(new URL('quiet-client.ts', import.meta.url), [String(port), path, key], { execArgv: [] });
  }

  /** What it has seen since the last call, or since its start. */
  async take(): Promise<Quiet> {
    this.#process.send('take');
    const [{ latencies, errors }] = (await once(this.#process, 'message')) as [Seen];
    const sorted = Float64Array.from(latencies).toSorted();
    return { count: sorted.length, p99: percentile(sorted, 0.99), longest: sorted.at(-1) ?? 0, errors };
  }

  [Symbol.dispose](): void {
    this.#process.kill('SIGKILL');
  }
}
