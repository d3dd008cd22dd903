import { unavailable } from '../../kernel/model/errors.ts';
import type { Features } from '../../kernel/feature.ts';
import type { Table } from '../../kernel/model/table.ts';
import { MessageThread } from '../../threads/message-thread.ts';
import { sibling } from '../../threads/sibling.ts';
import { errorOf, type Failure } from './failure.ts';
import type { FileGuard } from './file-guard.ts';
import { type SentTable, sentTables } from './sent-tables.ts';
import type { Tasks } from './worker-thread.ts';

export interface WorkerData {
  readonly file: string;
  readonly tables: readonly SentTable[];
  /** The URL of the module of the features. */
  readonly module: string;
}

export interface WorkerRequest {
  readonly task: keyof Tasks;
  readonly args: readonly unknown[];
}

export type WorkerAnswer = { readonly answer: unknown } | { readonly error: Failure };

/** A thread with its own connection, for work that would block the main thread. It executes one task at a time. */
export class DatabaseWorker {
  readonly #thread: MessageThread<WorkerRequest, WorkerAnswer>;
  readonly #fileGuard: Pick<FileGuard, 'require'>;
  #isClosed = false;

  constructor({ module }: Features, file: string, tables: readonly Table[], fileGuard: Pick<FileGuard, 'require'>) {
    const workerData: WorkerData = { file, tables: sentTables(tables), module };
    this.#fileGuard = fileGuard;
    this.#thread = new MessageThread({
      url: sibling('worker-thread', import.meta),
      workerData,
      cannotStart: (cause) => unavailable('The database worker cannot be started. Try again.', cause),
      lost({ task }, cause) {
        const advice = task === 'commit' ? ': the write may have been done or not.' : '. Try again.';
        return unavailable(`The database worker has failed${advice}`, cause);
      },
    });
  }

  /**
   * Executes a task of `worker-thread.ts`.
   *
   * @throws ApiError `unavailable` if the files are no longer in their places, or the thread fails: the next task starts another
   */
  async run<Task extends keyof Tasks>(task: Task, ...args: Parameters<Tasks[Task]>): Promise<ReturnType<Tasks[Task]>> {
    if (this.#isClosed) throw unavailable('The server is shutting down.');
    // A thread that is started now must open the same file.
    this.#fileGuard.require();
    const message = await this.#thread.ask({ task, args });
    if ('error' in message) throw errorOf(message.error);
    return message.answer as ReturnType<Tasks[Task]>;
  }

  /** Finishes the pending tasks, and resolves when the thread has closed the file. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.close();
  }
}
