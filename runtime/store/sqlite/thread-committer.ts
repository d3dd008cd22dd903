import { Worker } from 'node:worker_threads';
import { unavailable } from '../../errors.ts';
import type { Write } from '../store.ts';
import type { Outcome } from './committer.ts';
import type { WriterThreadData } from './writer-thread.ts';

interface Group {
  readonly resolve: (outcomes: readonly Outcome[]) => void;
  readonly reject: (error: unknown) => void;
}

/** Commits groups of writes on a thread with a connection of its own. */
export class ThreadCommitter {
  readonly #data: WriterThreadData;
  #worker: Worker | undefined;
  #underWay: Group | undefined;

  constructor(data: WriterThreadData) {
    this.#data = data;
    this.#start().unref();
  }

  /**
   * As the committer's, one group at a time.
   *
   * @throws ApiError `unavailable` where the thread has failed: the writes may be done or not. The next group gets another.
   */
  commit(writes: readonly Write[]): Promise<readonly Outcome[]> {
    return new Promise((resolve, reject) => {
      this.#underWay = { resolve, reject };
      try {
        const worker = this.#worker ?? this.#start();
        worker.ref();
        // A port of Node has no origin.
        // oxlint-disable-next-line unicorn/require-post-message-target-origin
        worker.postMessage(writes);
      } catch (error) {
        // The system has no room for another thread.
        this.#fail(error);
      }
    });
  }

  /** Resolves when the thread has let go of the file. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    this.#worker = undefined;
    await new Promise((resolve) => {
      worker.ref();
      worker.once('exit', resolve);
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
    worker.on('message', (outcomes: readonly Outcome[]) => {
      // What one that has failed had still to say is not about the group that another has by now.
      if (worker !== this.#worker) return;
      worker.unref();
      const group = this.#underWay;
      this.#underWay = undefined;
      group?.resolve(outcomes);
    });
    const ended = (cause: unknown): void => {
      if (worker !== this.#worker) return;
      this.#worker = undefined;
      this.#fail(cause);
    };
    worker.on('error', ended);
    worker.on('exit', () => ended(new Error('The thread that writes has ended.')));
    return worker;
  }

  #fail(cause: unknown): void {
    const group = this.#underWay;
    this.#underWay = undefined;
    group?.reject(unavailable('The database cannot be written. Try again.', cause));
  }
}
