import { setTimeout as pause } from 'node:timers/promises';
import { unavailable } from '../model/errors.ts';
import { MessageThread } from '../threads/message-thread.ts';
import { sibling } from '../threads/sibling.ts';
import type { Table } from '../model/table.ts';
import type { Statement } from '../sql/table-sql.ts';
import type { OrganizationWrite, Page, Projection } from '../records/store.ts';
import { bufferOf } from './prepared-statements.ts';
import type { Row } from '../sql/steps.ts';
import type { CommittedGroup } from './committer.ts';
import { errorOf, type Failure } from './failure.ts';
import type { PagePart } from './reader.ts';

/** As `PagePart`, in one piece. */
export interface RecordsPart {
  readonly json: Uint8Array;
  readonly rest: readonly string[];
}

export interface WorkerData {
  readonly file: string;
  readonly tables: readonly Table[];
}

/** The tasks of the worker thread; see the methods of `DatabaseWorker`. */
export interface WorkerTasks {
  commit(writes: readonly OrganizationWrite[]): CommittedGroup;
  checkpoint(): void;
  overwrite(): void;
  page(organization: number, table: string, page: Page): (Omit<PagePart, 'chunks'> & RecordsPart) | undefined;
  records(organization: number, table: string, ids: readonly string[], view?: Projection): RecordsPart;
  record(
    organization: number,
    table: string,
    id: string,
    maxBytes: number,
    view?: Projection,
  ): Uint8Array | number | undefined;
  rowCounts(): readonly Row[];
  change(statement: Statement): void;
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
  readonly #thread: MessageThread<WorkerRequest, WorkerAnswer>;
  #needsOverwrite = false;
  #isOverwriting = false;
  #isClosed = false;

  constructor(data: WorkerData) {
    this.#thread = new MessageThread({
      url: sibling('worker-thread', import.meta),
      workerData: data,
      cannotStart: (cause) => unavailable('The database worker cannot be started. Try again.', cause),
      lost({ task }, cause) {
        const advice = task === 'commit' ? ': the write may have been done or not.' : '. Try again.';
        return unavailable(`The database worker has failed${advice}`, cause);
      },
    });
  }

  /** Starts the thread, which the first task does otherwise. */
  start(): void {
    this.#thread.start();
  }

  /**
   * Calls `Committer.commit`, which waits for locks. Writes that would take too long are left out: there are fewer outcomes.
   *
   * @throws ApiError `unavailable` if the thread fails: the writes may have been done or not. The next task starts another
   */
  commit(writes: readonly OrganizationWrite[]): Promise<CommittedGroup> {
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

  /** Reads a page of a list, wherever it is, or as much of it as is read at once. */
  page(...args: Parameters<WorkerTasks['page']>): Promise<ReturnType<WorkerTasks['page']>> {
    return this.#run('page', ...args);
  }

  /** Reads as many of the records as are read at once. */
  records(...args: Parameters<WorkerTasks['records']>): Promise<RecordsPart> {
    return this.#run('records', ...args);
  }

  /** See `Reader.record`. */
  async record(...args: Parameters<WorkerTasks['record']>): Promise<Buffer | number | undefined> {
    const record = await this.#run('record', ...args);
    return typeof record === 'object' ? bufferOf(record) : record;
  }

  /** See `Dml.rowCounts`. */
  rowCounts(): Promise<readonly Row[]> {
    return this.#run('rowCounts');
  }

  /** Executes a statement that changes no record, in a transaction of its own. */
  change(statement: Statement): Promise<void> {
    return this.#run('change', statement);
  }

  /** Finishes the pending tasks, and resolves when the thread has closed the file. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.close();
  }

  async #run<Task extends keyof WorkerTasks>(
    task: Task,
    ...args: Parameters<WorkerTasks[Task]>
  ): Promise<ReturnType<WorkerTasks[Task]>> {
    if (this.#isClosed) throw unavailable('The server is shutting down.');
    const message = await this.#thread.ask({ task, args });
    if ('error' in message) throw errorOf(message.error);
    return message.answer as ReturnType<WorkerTasks[Task]>;
  }
}
