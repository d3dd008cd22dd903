import { Worker } from 'node:worker_threads';
import { ApiError, overloaded, unavailable } from '../errors.ts';
import { sibling } from '../sibling.ts';
import type { Json } from './json.ts';

/** A body that the thread parses. */
export interface JsonRequest {
  readonly bytes: Uint8Array;
  readonly maxValues: number;
}

/** What it holds, or why it is malformed. */
export type JsonAnswer = Json | { readonly malformed: string };

/** Bodies that may wait: each takes up to 0.1 s per 16 MiB. */
const maxWaiting = 32;

/** A thread that parses JSON which would block the main thread. It starts with the first body. */
export class JsonWorker {
  #worker: Worker | undefined;
  readonly #pending: PromiseWithResolvers<Json>[] = [];

  /**
   * Calls `parseJson` in the thread, one body after the other.
   *
   * @param bytes more than a pool of Buffer has; they are moved into the thread and lost here
   * @throws ApiError `malformed_json` (400) like `parseJson`, `overloaded` (503) if too many bodies are waiting, `unavailable`
   *   (503) if the thread fails: the next body starts another
   */
  async parse(bytes: Buffer, maxValues: number): Promise<Json> {
    if (this.#pending.length > maxWaiting) throw overloaded('Too many large bodies are being processed.');
    const pending = Promise.withResolvers<Json>();
    this.#pending.push(pending);
    try {
      const worker = this.#worker ?? this.#start();
      worker.ref();
      worker.postMessage({ bytes, maxValues } satisfies JsonRequest, [bytes.buffer as ArrayBuffer]);
    } catch (error) {
      // The system cannot start another thread.
      this.#pending.pop();
      throw unavailable('The body cannot be processed now. Try again.', error);
    }
    return pending.promise;
  }

  #start(): Worker {
    const worker = new Worker(sibling('json-thread', import.meta), {
      // Modules preloaded by options of the process are for its main thread.
      execArgv: [],
      // Long strings are not made in it.
      resourceLimits: { maxYoungGenerationSizeMb: 4 },
    });
    this.#worker = worker;
    worker.on('message', (answer: JsonAnswer) => {
      // A message of a failed thread does not answer the bodies of its successor.
      if (worker !== this.#worker) return;
      const pending = this.#pending.shift();
      if (this.#pending.length === 0) worker.unref();
      if ('malformed' in answer) pending?.reject(new ApiError('malformed_json', answer.malformed));
      else pending?.resolve(answer);
    });
    const onEnd = (cause: unknown): void => {
      if (worker !== this.#worker) return;
      this.#worker = undefined;
      const error = unavailable('The body could not be processed. Try again.', cause);
      for (const { reject } of this.#pending.splice(0)) reject(error);
    };
    worker.on('error', onEnd);
    worker.on('exit', () => onEnd(new Error('The worker thread has ended.')));
    return worker;
  }
}
