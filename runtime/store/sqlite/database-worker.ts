import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { unavailable } from '../../errors.ts';
import { sibling } from '../../sibling.ts';
import type { Table } from '../../schema/table.ts';
import type { Page, Write } from '../store.ts';
import type { Outcome } from './committer.ts';
import { errorOf, type Failure } from './failure.ts';
import type { FoundPage } from './page-reader.ts';

export interface WorkerData {
  readonly file: string;
  readonly tables: readonly Table[];
}

/** The tasks of the worker thread; see the methods of `DatabaseWorker`. */
export interface WorkerTasks {
  commit(writes: readonly Write[]): readonly Outcome[];
  checkpoint(): void;
  overwrite(): void;
  findPage(table: string, page: Page): FoundPage | undefined;
}

export interface WorkerRequest {
  readonly task: keyof WorkerTasks;
  readonly args: readonly unknown[];
}

export type WorkerAnswer = { readonly answer: unknown } | { readonly error: Failure };

/** Milliseconds between two attempts to overwrite a failed commit. */
const overwriteInterval = 250;

/** A thread with its own connection, for work that would block the main thread. It executes one task at a time. */
export class DatabaseWorker {
  readonly #data: WorkerData;
  #worker: Worker | undefined;
  readonly #pending: (PromiseWithResolvers<never> & { readonly task: keyof WorkerTasks })[] = [];
  #needsOverwrite = false;
  #isOverwriting = false;
  #isClosed = false;

  constructor(data: WorkerData) {
    this.#data = data;
  }

  /** Starts the thread, which the first task does otherwise. */
  start(): void {
    this.#start().unref();
  }

  /**
   * Calls `Committer.commit`, which waits for locks. Writes that would take too long are left out: there are fewer outcomes.
   *
   * @throws ApiError `unavailable` if the thread fails: the writes may have been done or not. The next task starts another
   */
  commit(writes: readonly Write[]): Promise<readonly Outcome[]> {
    return this.#run('commit', writes);
  }

  /** Moves the write-ahead log into the database. After a failure, the next checkpoint does. */
  async checkpoint(): Promise<void> {
    await this.#run('checkpoint').catch(() => undefined);
  }

  /**
   * Overwrites what an unconfirmed commit left in the write-ahead log, as soon as the disk works: the next commit takes its
   * place, and if no client writes, this is the next one.
   */
  async overwrite(): Promise<void> {
    this.#needsOverwrite = true;
    if (this.#isOverwriting) return;
    this.#isOverwriting = true;
    while (this.#needsOverwrite && !this.#isClosed) {
      this.#needsOverwrite = false;
      try {
        await this.#run('overwrite');
      } catch {
        this.#needsOverwrite = true;
        await pause(overwriteInterval, undefined, { ref: false });
      }
    }
    this.#isOverwriting = false;
  }

  /** Finds a page in a list, wherever it is. */
  findPage(table: string, page: Page): Promise<FoundPage | undefined> {
    return this.#run('findPage', table, page);
  }

  /** Finishes the pending tasks, and resolves when the thread has closed the file. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    if (!worker) return;
    worker.ref();
    worker.postMessage(null, []);
    await new Promise((resolve) => worker.once('exit', resolve));
  }

  #run<Task extends keyof WorkerTasks>(
    task: Task,
    ...args: Parameters<WorkerTasks[Task]>
  ): Promise<ReturnType<WorkerTasks[Task]>> {
    if (this.#isClosed) return Promise.reject(unavailable('The server is shutting down.'));
    const pending = { task, ...Promise.withResolvers<never>() };
    this.#pending.push(pending);
    try {
      const worker = this.#worker ?? this.#start();
      worker.ref();
      worker.postMessage({ task, args } satisfies WorkerRequest, []);
    } catch (error) {
      // The system cannot start another thread.
      this.#pending.pop();
      pending.reject(unavailable('The database worker cannot be started. Try again.', error));
    }
    return pending.promise;
  }

  #start(): Worker {
    const worker = new Worker(sibling('worker-thread', import.meta), {
      workerData: this.#data,
      // Modules preloaded by options of the process are for its main thread.
      execArgv: [],
      // A batch of writes fits into it.
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    this.#worker = worker;
    worker.on('message', (message: WorkerAnswer) => {
      // A message of a failed thread does not answer the tasks of its successor.
      if (worker !== this.#worker) return;
      const pending = this.#pending.shift();
      if (this.#pending.length === 0) worker.unref();
      if ('error' in message) pending?.reject(errorOf(message.error));
      else pending?.resolve(message.answer as never);
    });
    const onEnd = (cause: unknown): void => {
      if (worker !== this.#worker) return;
      this.#worker = undefined;
      for (const { task, reject } of this.#pending.splice(0)) {
        const advice = task === 'commit' ? ': the write may have been done or not.' : '. Try again.';
        reject(unavailable(`The database worker has failed${advice}`, cause));
      }
    };
    worker.on('error', onEnd);
    worker.on('exit', () => onEnd(new Error('The worker thread has ended.')));
    return worker;
  }
}
