import { overloaded } from '../model/errors.ts';
import type { MaybePromise } from '../model/maybe-promise.ts';

/** Milliseconds of a turn of the event loop that pages may take; one that has begun is read to its end. */
const turnDuration = 5;

/** Pages that may wait: a large one takes some milliseconds. */
export const maxWaitingPages = 1_000;

interface Waiting {
  /** When it came; Infinity for one that waits as long as it takes. */
  readonly since: number;
  readonly read: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * The turns of the pages that the main thread reads: between two of them, when they have taken their share of a turn of the
 * event loop, it serves what else has arrived.
 */
export class PageTurns {
  readonly #waiting: Waiting[] = [];
  readonly #maxDuration: number;
  /** Milliseconds that pages have taken in this turn of the event loop. */
  #spent = 0;
  #isScheduled = false;

  /** @param maxDuration milliseconds after which a page that waits is given up */
  constructor(maxDuration: number) {
    this.#maxDuration = maxDuration;
  }

  /**
   * Reads a page: at once if it is its turn, otherwise by `readLater`.
   *
   * @throws ApiError `overloaded` if too many pages are waiting, or it has waited too long
   */
  run<T>(read: () => T, readLater: () => T): MaybePromise<T> {
    if (this.#waiting.length === 0 && this.#spent < turnDuration) return this.#timed(read);
    if (this.#waiting.length >= maxWaitingPages) {
      throw overloaded('Too many pages are requested at once.');
    }
    return this.#wait(readLater, performance.now());
  }

  /** Reads more of a page that is being answered: that may take any time. */
  async continue<T>(read: () => T): Promise<T> {
    return this.#wait(read, Infinity);
  }

  #wait<T>(read: () => T, since: number): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.push({ since, reject, read: () => resolve(this.#timed(read)) });
    this.#schedule();
    return promise;
  }

  #timed<T>(read: () => T): T {
    this.#schedule();
    const begin = performance.now();
    try {
      return read();
    } finally {
      this.#spent += performance.now() - begin;
    }
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#next());
  }

  #next(): void {
    this.#isScheduled = false;
    this.#spent = 0;
    while (this.#spent < turnDuration) {
      const next = this.#waiting.shift();
      if (!next) return;
      try {
        if (performance.now() - next.since > this.#maxDuration) {
          throw overloaded('The page could not be read in time.');
        }
        next.read();
      } catch (error) {
        next.reject(error as Error);
      }
    }
    this.#schedule();
  }
}
