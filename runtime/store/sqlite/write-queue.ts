import { Worker } from 'node:worker_threads';
import { unavailable } from '../../errors.ts';
import type { Write, WriteResult } from '../store.ts';
import type { Failure } from './committer.ts';
import { asUnavailable } from './failure.ts';
import type { WriterThreadData } from './writer-thread.ts';

interface Waiting {
  readonly write: Write;
  readonly resolve: (result: WriteResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Writes that are committed together at most: the last of them waits for all of them. */
export const largestGroup = 500;

/**
 * Hands writes to a thread with a connection of its own, so that neither an fsync nor a lock nor a long delete holds up
 * the reads. Those that arrive while it is busy form the next group.
 */
export class WriteQueue {
  readonly #data: WriterThreadData;
  readonly #committed: () => void;
  #worker: Worker | undefined;
  #waiting: Waiting[] = [];
  #underWay: readonly Waiting[] = [];
  #scheduled = false;
  #closing: (() => void) | undefined;

  /** @param committed is called when a group is on the disk, before its writes are answered; may throw: they are not then */
  constructor(data: WriterThreadData, committed: () => void) {
    this.#data = data;
    this.#committed = committed;
    this.#start();
  }

  write(write: Write): Promise<WriteResult> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ write, resolve, reject });
      if (this.#scheduled || this.#underWay.length > 0) return;
      this.#scheduled = true;
      // After the requests that have arrived by now, so that their writes join this one.
      setImmediate(() => this.#send());
    });
  }

  /** Resolves when all that was handed over is answered and the thread has let go of the file. */
  async close(): Promise<void> {
    if (this.#waiting.length > 0 || this.#underWay.length > 0) {
      await new Promise<void>((resolve) => (this.#closing = resolve));
    }
    const worker = this.#worker;
    if (!worker) return;
    this.#worker = undefined;
    await new Promise((resolve) => {
      worker.ref();
      worker.once('exit', resolve);
      // A port of Node has no origin.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      worker.postMessage(null);
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL('./writer-thread.ts', import.meta.url), {
      workerData: this.#data,
      // What is loaded into the process is for its main thread.
      execArgv: [],
      // What it holds at a time is a group of writes.
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    this.#worker = worker;
    worker.unref();
    worker.on('message', (results: readonly (WriteResult | Failure)[]) => {
      // What one that has failed had still to say is not about the group that another has by now.
      if (worker === this.#worker) this.#answer(results);
    });
    worker.on('error', (error) => this.#ended(worker, error as Error));
    worker.on('exit', () => this.#ended(worker, new Error('The thread that writes has ended.')));
    return worker;
  }

  #send(): void {
    this.#scheduled = false;
    if (this.#underWay.length > 0 || this.#waiting.length === 0) return;
    this.#underWay = this.#waiting.splice(0, largestGroup);
    try {
      const worker = this.#worker ?? this.#start();
      worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      worker.postMessage(this.#underWay.map(({ write }) => write));
    } catch (error) {
      // The system has no room for another thread.
      this.#refuse(error);
    }
  }

  #answer(results: readonly (WriteResult | Failure)[]): void {
    const group = this.#underWay;
    this.#underWay = [];
    // The next group is under way while this one is answered.
    this.#send();
    let refusal: unknown;
    try {
      this.#committed();
    } catch (error) {
      refusal = error;
    }
    group.forEach(({ resolve, reject }, place) => {
      const result = results[place] as WriteResult | Failure;
      if (refusal !== undefined) reject(refusal);
      else if (result.outcome === 'failed') reject(errorOf(result));
      else resolve(result);
    });
    if (this.#underWay.length > 0) return;
    this.#worker?.unref();
    this.#closing?.();
  }

  /** The thread is gone without being told to; the next write starts another. */
  #ended(worker: Worker, cause: Error): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    this.#refuse(cause);
  }

  /** Refuses the writes under way, which may be done or not, and goes on with the next ones. */
  #refuse(cause: unknown): void {
    const group = this.#underWay;
    this.#underWay = [];
    for (const { reject } of group) reject(unavailable('The database cannot be written. Try again.', cause));
    this.#send();
    if (this.#underWay.length === 0) this.#closing?.();
  }
}

const errorOf = ({ message, errcode }: Failure): unknown =>
  asUnavailable(Object.assign(new Error(message), errcode === undefined ? {} : { errcode }));
