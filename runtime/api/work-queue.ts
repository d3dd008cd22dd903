import { type ApiError, overloaded } from '../model/errors.ts';
import type { MaybePromise } from '../model/maybe-promise.ts';
import { type Caller, Waiter } from './waiter.ts';

/** Bytes of large bodies or answers that are worked on in one turn of the event loop: some milliseconds. */
const maxTurnBytes = 1_048_576;

/**
 * Runs large pieces of work, of one client after the other: a few bytes in each turn of the event loop, so that other
 * requests go past them, and a few at once, because work on a body or an answer takes several times its bytes.
 */
export class WorkQueue {
  readonly #maxBytes: number;
  readonly #maxHold: number;
  /** Bytes that are worked on, and those of this turn. */
  #busy = 0;
  #turn = 0;
  #isScheduled = false;
  readonly #waiting = new Map<string, Waiter[]>();

  /**
   * @param maxBytes bytes that are worked on at once; a longer piece runs alone
   * @param maxHold milliseconds after which a piece no longer counts: it waits for the database, and others need not
   */
  constructor(maxBytes: number, maxHold = Infinity) {
    this.#maxBytes = maxBytes;
    this.#maxHold = maxHold;
  }

  /** Whether this turn of the event loop has done enough: more work should wait for the next one. */
  get isTurnOver(): boolean {
    return this.#turn > maxTurnBytes;
  }

  /** Counts work that was done in this turn without waiting. */
  note(bytes: number): void {
    this.#turn += bytes;
    this.#schedule();
  }

  /**
   * Runs a piece of work on so many bytes in its turn.
   *
   * @throws ApiError `overloaded` (503) where the caller loses patience before that, `bad_request` where its connection closes;
   *   then nothing is done
   */
  async run<T>(caller: Caller, bytes: number, work: () => MaybePromise<T>): Promise<T> {
    await this.#wait(caller, bytes);
    let isCounted = true;
    const release = (): void => {
      if (isCounted) this.#busy -= bytes;
      isCounted = false;
      if (this.#waiting.size > 0) this.#schedule();
    };
    const timer = this.#maxHold < Infinity ? setTimeout(release, this.#maxHold) : undefined;
    try {
      return await work();
    } finally {
      clearTimeout(timer);
      release();
    }
  }

  #wait(caller: Caller, bytes: number): Promise<void> {
    const { client } = caller;
    const late = (): ApiError =>
      overloaded('Too many large requests and responses are being processed: nothing was done.');
    const waiter = new Waiter(caller, bytes, Infinity, late, (left) => {
      const waiting = this.#waiting.get(client) ?? [];
      waiting.splice(waiting.indexOf(left), 1);
      if (waiting.length === 0) this.#waiting.delete(client);
      // A piece behind it may fit.
      this.#schedule();
    });
    const waiting = this.#waiting.get(client);
    if (waiting) waiting.push(waiter);
    else this.#waiting.set(client, [waiter]);
    this.#schedule();
    return waiter.called;
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#next());
  }

  #next(): void {
    this.#isScheduled = false;
    this.#turn = 0;
    for (const [client, waiting] of this.#waiting) {
      const [first] = waiting as [Waiter];
      const { bytes } = first;
      // No smaller piece overtakes it, or it might never run.
      if (this.#busy > 0 && this.#busy + bytes > this.#maxBytes) break;
      if (this.#turn > 0 && this.#turn + bytes > maxTurnBytes) break;
      this.#turn += bytes;
      this.#busy += bytes;
      waiting.shift();
      this.#waiting.delete(client);
      if (waiting.length > 0) this.#waiting.set(client, waiting);
      first.call();
    }
    // The next turn counts from zero.
    if (this.#turn > 0) this.#schedule();
  }
}
