import { overloaded } from '../../kernel/model/errors.ts';
import { limitWait } from '../../kernel/model/wait.ts';
import { maxWaiting } from '../../kernel/records/limits.ts';
import { Turns } from '../../kernel/records/turns.ts';

/** The API key that a job is for: each has an object of its own. */
export interface JobOwner {
  readonly organization: number;
}

type Job = () => Promise<void>;

/** Does one job at a time. Organizations take turns, and so do the keys of each. */
export class JobQueue {
  readonly #maxDuration: number;
  readonly #waiting = new Turns<number, Job>();
  #isBusy = false;

  /** @param maxDuration milliseconds after which a job is given up */
  constructor(maxDuration: number) {
    this.#maxDuration = maxDuration;
  }

  /**
   * Does a job when it is its turn.
   *
   * @throws ApiError `overloaded` if too many jobs of the owner are waiting, or it takes too long
   */
  async run<T>(owner: JobOwner, work: () => Promise<T>): Promise<T> {
    if (this.#waiting.sizeOf(owner.organization, owner) >= maxWaiting) {
      throw overloaded('Too many long lists are requested at once: "after" takes less.');
    }
    const { promise, reject, job } = this.#add(owner, work);
    return limitWait(this.#maxDuration, promise, () => {
      this.#waiting.delete(owner.organization, owner, job);
      reject(overloaded('The page could not be read in time: "after" takes less than a large "offset".'));
    });
  }

  /** Does the next part of a response that has begun: it may wait for any time. */
  continue<T>(owner: JobOwner, work: () => Promise<T>): Promise<T> {
    return this.#add(owner, work).promise;
  }

  #add<T>(owner: JobOwner, work: () => Promise<T>) {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const job: Job = () => work().then(resolve, reject);
    this.#waiting.add(owner.organization, owner, job);
    if (!this.#isBusy) void this.#work();
    return { promise, reject, job };
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    for (let job = this.#waiting.next(); job; job = this.#waiting.next()) await job();
    this.#isBusy = false;
  }
}
