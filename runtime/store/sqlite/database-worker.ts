import { Worker } from 'node:worker_threads';
import { unavailable } from '../../errors.ts';
import type { Table } from '../../schema/table.ts';
import type { Page, Write } from '../store.ts';
import type { Outcome } from './committer.ts';
import { errorOf, type Failure } from './failure.ts';

/** What the worker thread is started with. */
export interface WorkerData {
  readonly file: string;
  readonly tables: readonly Table[];
}

/** The ids of a page, with the number of rows on all pages; where it has an offset, the record before it comes first. */
export interface FoundPage {
  readonly total: number;
  readonly ids: readonly string[];
}

/** What the worker thread does, by name: what it gets, and what it answers. */
export interface WorkerTasks {
  commit: { request: readonly Write[]; answer: readonly Outcome[] };
  /** Moves the write-ahead log into the database. */
  checkpoint: { request: null; answer: null };
  findPage: { request: { readonly table: string; readonly page: Page }; answer: FoundPage };
}

export type WorkerRequest = {
  [Task in keyof WorkerTasks]: { readonly task: Task; readonly request: WorkerTasks[Task]['request'] };
}[keyof WorkerTasks];

export type WorkerAnswer = { readonly answer: WorkerTasks[keyof WorkerTasks]['answer'] } | { readonly error: Failure };

interface Pending {
  readonly resolve: (answer: never) => void;
  readonly reject: (error: unknown) => void;
}

/** Pages that may wait to be found: each of them takes up to 10 ms for every million rows. */
const maxWaitingPages = 32;

// A port of Node has no origin.
// oxlint-disable-next-line unicorn/require-post-message-target-origin
const post = (worker: Worker, message: WorkerRequest | null): void => worker.postMessage(message);

/** A thread with a connection of its own, for what would hold up the main thread. It does one thing after the other. */
export class DatabaseWorker {
  readonly #data: WorkerData;
  #worker: Worker | undefined;
  readonly #pending: Pending[] = [];
  #lastPage: Promise<unknown> = Promise.resolve();
  #waitingPages = 0;
  #isClosed = false;

  constructor(data: WorkerData) {
    this.#data = data;
    this.#start().unref();
  }

  /**
   * As `Committer.commit`, waiting for locks.
   *
   * @throws ApiError `unavailable` where the thread has failed: the writes may be done or not. The next task gets another thread.
   */
  commit(writes: readonly Write[]): Promise<readonly Outcome[]> {
    return this.#run('commit', writes);
  }

  /** Moves the write-ahead log into the database; where that fails, the next one moves it. */
  async checkpoint(): Promise<void> {
    await this.#run('checkpoint', null).catch(() => undefined);
  }

  /**
   * Finds a page far from both ends of its list. A commit waits for one of them at most.
   *
   * @throws ApiError `unavailable` where too many are waiting.
   */
  async findPage(table: string, page: Page): Promise<FoundPage> {
    if (this.#waitingPages > maxWaitingPages) {
      throw unavailable('Too many pages with large offsets are requested. Try again, or page by "after".', undefined);
    }
    this.#waitingPages++;
    const found = this.#lastPage.then(() => this.#run('findPage', { table, page }));
    this.#lastPage = found.catch(() => undefined);
    return found.finally(() => this.#waitingPages--);
  }

  /** Does what it was asked before, and resolves when the thread has let go of the file. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    if (!worker) return;
    await new Promise((resolve) => {
      worker.ref();
      worker.once('exit', resolve);
      post(worker, null);
    });
  }

  #run<Task extends keyof WorkerTasks>(
    task: Task,
    request: WorkerTasks[Task]['request'],
  ): Promise<WorkerTasks[Task]['answer']> {
    if (this.#isClosed) return Promise.reject(unavailable('The server is shutting down.', undefined));
    return new Promise((resolve, reject) => {
      this.#pending.push({ resolve, reject });
      try {
        const worker = this.#worker ?? this.#start();
        worker.ref();
        post(worker, { task, request } as WorkerRequest);
      } catch (error) {
        // The system has no room for another thread.
        this.#fail('The database worker cannot be started. Try again.', error);
      }
    });
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker-thread.ts', import.meta.url), {
      workerData: this.#data,
      // What is loaded into the process is for its main thread.
      execArgv: [],
      // What it holds at a time is a batch of writes.
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    this.#worker = worker;
    worker.on('message', (message: WorkerAnswer) => {
      // What one that has failed had still to say is not about what another has been asked by now.
      if (worker !== this.#worker) return;
      const pending = this.#pending.shift();
      if (this.#pending.length === 0) worker.unref();
      if ('error' in message) pending?.reject(errorOf(message.error));
      else pending?.resolve(message.answer as never);
    });
    const ended = (cause: unknown): void => {
      if (worker !== this.#worker) return;
      this.#worker = undefined;
      this.#fail('The database worker has failed: a write may have been done or not.', cause);
    };
    worker.on('error', ended);
    worker.on('exit', () => ended(new Error('The worker thread has ended.')));
    return worker;
  }

  #fail(detail: string, cause: unknown): void {
    for (const { reject } of this.#pending.splice(0)) reject(unavailable(detail, cause));
  }
}
