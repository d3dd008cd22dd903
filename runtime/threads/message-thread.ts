import { type Transferable, Worker } from 'node:worker_threads';

interface ThreadOptions<Request> {
  /** Its module. */
  readonly url: URL;
  readonly workerData?: unknown;
  /** The error of a request for which the system cannot start a thread. */
  readonly cannotStart: (cause: unknown) => Error;
  /** The error of a request that was sent to a thread which then failed. */
  readonly lost: (request: Request, cause: unknown) => Error;
}

interface Pending<Request, Answer> extends PromiseWithResolvers<Answer> {
  readonly request: Request;
}

/**
 * A thread that answers each message with one of its own, in order. It starts with the first request, starts again with
 * the next one after it has failed, and keeps the process alive only while it has something to answer.
 */
export class MessageThread<Request, Answer> {
  readonly #options: ThreadOptions<Request>;
  readonly #pending: Pending<Request, Answer>[] = [];
  #worker: Worker | undefined;

  constructor(options: ThreadOptions<Request>) {
    this.#options = options;
  }

  /**
   * Sends a request.
   *
   * @param transfer what is moved into the thread, and lost here
   * @throws the errors of the options
   */
  ask(request: Request, transfer: readonly Transferable[] = []): Promise<Answer> {
    const pending = { request, ...Promise.withResolvers<Answer>() };
    this.#pending.push(pending);
    try {
      const worker = this.#worker ?? this.#start();
      worker.ref();
      worker.postMessage(request, transfer);
    } catch (error) {
      this.#pending.pop();
      pending.reject(this.#options.cannotStart(error));
    }
    return pending.promise;
  }

  /** Sends null behind the pending requests, and resolves when the thread has ended, as that tells it to. */
  async close(): Promise<void> {
    const worker = this.#worker;
    if (!worker) return;
    worker.ref();
    worker.postMessage(null, []);
    await new Promise((resolve) => worker.once('exit', resolve));
  }

  #start(): Worker {
    const { url, workerData, lost } = this.#options;
    const worker = new Worker(url, {
      workerData,
      // Modules preloaded by options of the process are for its main thread.
      execArgv: [],
      // Enough for a batch of writes; long strings are not made in it.
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    this.#worker = worker;
    worker.on('message', (answer: Answer) => {
      // A message of a failed thread does not answer the requests to its successor.
      if (worker !== this.#worker) return;
      const pending = this.#pending.shift();
      if (this.#pending.length === 0) worker.unref();
      pending?.resolve(answer);
    });
    const onEnd = (cause: unknown): void => {
      if (worker !== this.#worker) return;
      this.#worker = undefined;
      for (const { request, reject } of this.#pending.splice(0)) reject(lost(request, cause));
    };
    worker.on('error', onEnd);
    worker.on('exit', () => onEnd(new Error('The worker thread has ended.')));
    return worker;
  }
}
