import { maxBatchOperations } from '../../../../../kernel/model/limits.ts';
import { etagOf } from '../../../../../client/etag.ts';
import type { Call } from '../../../../../client/requests.ts';
import { type Api, problemOf } from '../../api.ts';
import { updatedAt, type Resource } from '../../model.ts';
import { queued } from '../../record/send.ts';
import { texts } from '../../texts.ts';
import { each } from './each.ts';

/** A record that something is done with. */
export interface Target {
  readonly id: string;
  /** When it had last been changed as it was seen; undefined if that is not known. */
  readonly seen: string | undefined;
}

/** A record with which something could not be done, and why. */
export interface Failure {
  readonly route: string;
  readonly id: string;
  readonly reason: string;
}

/** How far a run is. */
export interface Tally {
  readonly done: number;
  readonly failures: readonly Failure[];
}

interface RunOptions {
  /** The call that changes a record, without its condition. */
  readonly operation: (id: string) => Call;
  /** The id of all requests that write: by it, their events are found. */
  readonly requestId: string;
  /** Why the service has refused something, for people. */
  readonly reasonOf: (error: unknown) => string;
  readonly onProgress: (tally: Tally) => void;
  /** Stops the run: what is being sent is done, and nothing else. */
  readonly signal: AbortSignal;
}

/** A record as it has just been read: its ETag guards what is done with it. */
interface Guarded {
  readonly id: string;
  readonly ifMatch: string | undefined;
}

/** So many are sent singly. Then, if all were done, others are sent together again. */
const maxSingles = 12;

/** Whether the service has judged a request, and would again: not one that it has not got, or was not able to serve. */
const isRefusal = (error: unknown): boolean => {
  const { status = 500, code } = problemOf(error) ?? {};
  return status < 500 && ![401, 429].includes(status) && code !== 'idempotency_key_in_use';
};

/**
 * Does something with many records, up to a hundred in one commit. One that is refused does not keep the others from being done: it is
 * taken out. A record that another user has changed since it was seen is left as it is.
 */
export class Run {
  readonly #api: Api;
  readonly #resource: Resource;
  readonly #options: RunOptions;
  /** So many records are sent together: fewer after a refusal, so that many refusals do not send most records again and again. */
  #size = maxBatchOperations;
  #done = 0;
  readonly #failures: Failure[] = [];

  constructor(api: Api, resource: Resource, options: RunOptions) {
    this.#api = api;
    this.#resource = resource;
    this.#options = options;
  }

  /** @throws as `Api` does, if the service cannot go on: `onProgress` was told what was done before */
  async over(targets: AsyncIterable<readonly Target[]>): Promise<void> {
    const { signal } = this.#options;
    for await (const chunk of targets) {
      if (!signal.aborted) await this.#write(await this.#guard(chunk));
      this.#tell();
      if (signal.aborted) return;
    }
  }

  #tell(): void {
    this.#options.onProgress({ done: this.#done, failures: this.#failures });
  }

  #fail(id: string, reason: string): void {
    // Its name stands before the reason.
    this.#failures.push({ route: this.#resource.route, id, reason: reason.replace(` ${id}`, '') });
  }

  /**
   * Reads records with their ETags, which pages of lists do not have. Each is read by itself: an update of nothing, which would tell
   * the ETags of a hundred, calls the hooks of updates.
   */
  async #guard(targets: readonly Target[]): Promise<readonly Guarded[]> {
    const found = new Map<string, Guarded>();
    await each(targets, this.#options.signal, async ({ id, seen }) => {
      try {
        const record = await this.#api.get(`${this.#resource.path}/${encodeURIComponent(id)}`);
        if (seen !== undefined && record[updatedAt] !== seen) this.#fail(id, texts.bulk.stale);
        else found.set(id, { id, ifMatch: etagOf(record) });
      } catch (error) {
        if (!isRefusal(error)) throw error;
        this.#fail(id, this.#options.reasonOf(error));
      }
    });
    return targets.flatMap(({ id }) => found.get(id) ?? []);
  }

  async #write(guarded: readonly Guarded[]): Promise<void> {
    let rest = guarded;
    while (rest.length > 0 && !this.#options.signal.aborted) {
      const part = rest.slice(0, this.#size > 1 ? this.#size : maxSingles);
      const left = this.#size > 1 ? await this.#send(part) : await this.#sendSingly(part);
      rest = [...left, ...rest.slice(part.length)];
      this.#tell();
    }
  }

  /** Sends records in one commit. @returns those that are left, if one of them was refused */
  async #send(part: readonly Guarded[]): Promise<readonly Guarded[]> {
    const { operation, requestId, reasonOf } = this.#options;
    try {
      await this.#api.batch(
        (requests) =>
          part.map(({ id, ifMatch }) =>
            queued(requests, { ...operation(id), condition: ifMatch === undefined ? undefined : { ifMatch } }),
          ),
        { requestId },
      );
      this.#done += part.length;
      this.#size = Math.min(this.#size * 2, maxBatchOperations);
      return [];
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // A refusal without a place is about the batch itself, which may be too long.
      const at = problemOf(error)?.operation ?? (part.length === 1 ? 0 : undefined);
      const refused = at === undefined ? undefined : part[at];
      // Those before it are right.
      this.#size = at !== undefined && at > 0 ? at : Math.max(Math.floor(part.length / 2), 1);
      if (refused) this.#fail(refused.id, reasonOf(error));
      return part.filter((one) => one !== refused);
    }
  }

  /** Sends each record by itself, some at a time: where most are refused, nothing else is as quick. */
  async #sendSingly(part: readonly Guarded[]): Promise<readonly Guarded[]> {
    const before = this.#failures.length;
    const left = new Set(part);
    await each(part, this.#options.signal, async (one) => {
      await this.#send([one]);
      left.delete(one);
    });
    this.#size = this.#failures.length === before ? part.length : 1;
    return [...left];
  }
}
