import { overloaded } from '../model/errors.ts';
import { Timed, TimeLimit } from '../records/time-limit.ts';

/** Jobs of one client that may wait. */
export const maxWaitingJobs = 250;

/** The client that a job is for: each key has an object of its own. */
export interface Client {
  readonly organization: number;
}

class Job extends Timed {
  readonly run: () => Promise<void>;
  readonly reject: (error: unknown) => void;

  constructor(run: () => Promise<void>, reject: (error: unknown) => void) {
    super(performance.now());
    this.run = run;
    this.reject = reject;
  }
}

/**
 * Does one job at a time. Organizations take turns, and so do the clients of each: a job waits for one job of each of the others,
 * however many they request.
 */
export class Turns {
  /** By organization and client, those whose turn is next first. */
  readonly #waiting = new Map<number, Map<Client, Job[]>>();
  readonly #timeLimit: TimeLimit<Job>;
  #isBusy = false;

  /** @param maxDuration milliseconds after which a job is given up */
  constructor(maxDuration: number) {
    this.#timeLimit = new TimeLimit(maxDuration, (job) => {
      this.#withdraw(job);
      job.reject(overloaded('The page could not be read in time: "after" takes less than a large "offset".'));
    });
  }

  /**
   * Does a job when it is its turn.
   *
   * @throws ApiError `overloaded` if too many jobs of the client are waiting, or it takes too long
   */
  run<T>(client: Client, work: () => Promise<T>): Promise<T> {
    if ((this.#waiting.get(client.organization)?.get(client)?.length ?? 0) >= maxWaitingJobs) {
      return Promise.reject(overloaded('Too many long lists are requested at once: "after" takes less.'));
    }
    const { job, result } = this.#queue(client, work);
    this.#timeLimit.add(job);
    return result.finally(() => this.#timeLimit.delete(job));
  }

  /** Does the next part of a response that has begun: it may wait for any time. */
  continue<T>(client: Client, work: () => Promise<T>): Promise<T> {
    return this.#queue(client, work).result;
  }

  #queue<T>(client: Client, work: () => Promise<T>): { readonly job: Job; readonly result: Promise<T> } {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const job = new Job(() => work().then(resolve, reject), reject);
    const { organization } = client;
    const clients = this.#waiting.getOrInsertComputed(organization, () => new Map<Client, Job[]>());
    clients.getOrInsertComputed(client, (): Job[] => []).push(job);
    if (!this.#isBusy) void this.#work();
    return { job, result: promise };
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    for (const [organization, clients] of this.#waiting) {
      for (const [client, jobs] of clients) {
        await jobs.shift()?.run();
        moveBack(clients, client, jobs.length > 0);
        break;
      }
      moveBack(this.#waiting, organization, clients.size > 0);
    }
    this.#isBusy = false;
  }

  #withdraw(job: Job): void {
    const lists = [...this.#waiting.values()].flatMap((clients) => [...clients.values()]);
    for (const jobs of lists) if (jobs.includes(job)) jobs.splice(jobs.indexOf(job), 1);
  }
}

/** Moves an entry behind all others, after its job: those who came meanwhile are before it. */
function moveBack<K, V>(map: Map<K, V>, key: K, remains: boolean): void {
  const value = map.get(key) as V;
  map.delete(key);
  if (remains) map.set(key, value);
}
