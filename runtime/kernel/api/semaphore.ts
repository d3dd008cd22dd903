import type { ServerResponse } from 'node:http';
import { ApiError, overloaded } from '../model/errors.ts';
import { maxWorkDuration } from '../model/limits.ts';
import { limitWait } from '../model/wait.ts';

/** A request that needs slots. */
export interface Requester {
  /** Its key, however it is written. */
  readonly key: string;
  readonly outgoing: Pick<ServerResponse, 'closed' | 'once' | 'off'>;
}

/** Gives slots back, once. */
type Release = () => void;

interface Waiting {
  readonly key: string;
  readonly slots: number;
  readonly grant: (release: Release) => void;
}

export const connectionClosed = (): ApiError =>
  new ApiError('bad_request', 'The connection closed before the request was processed.');

const tooMany = (): ApiError => overloaded('The server has too many large requests and responses.');

/** Counts slots. A key holds at most half of them, or one request; no request overtakes another one that waits for more slots. */
export class Semaphore {
  readonly limit: number;
  #held = 0;
  /** The slots of each key. */
  readonly #shares = new Map<string, number>();
  /** In the order of their arrival. */
  readonly #waiting = new Set<Waiting>();

  constructor(limit: number) {
    this.limit = limit;
  }

  get held(): number {
    return this.#held;
  }

  /** Takes slots if they are free, and no request waits. */
  tryEnter(key: string, slots: number): Release | undefined {
    return this.#waiting.size === 0 && this.#isFair(key, slots) && this.#isFree(slots)
      ? this.#take(key, slots)
      : undefined;
  }

  /**
   * Takes slots for a request when they are free.
   *
   * @param slots at most `limit`
   * @throws ApiError `overloaded` (503) if they are not free in time, `bad_request` if the connection closes before
   */
  async enter({ key, outgoing }: Requester, slots: number): Promise<Release> {
    if (outgoing.closed) throw connectionClosed();
    const taken = this.tryEnter(key, slots);
    if (taken) return taken;
    const { promise, resolve, reject } = Promise.withResolvers<Release>();
    const waiting = { key, slots, grant: resolve };
    this.#waiting.add(waiting);
    const fail = (error: ApiError): void => {
      if (!this.#waiting.delete(waiting)) return;
      reject(error);
      this.#grant();
    };
    const onClose = (): void => fail(connectionClosed());
    outgoing.once('close', onClose);
    this.#grant();
    return limitWait(maxWorkDuration, promise, () => fail(tooMany())).finally(() => outgoing.off('close', onClose));
  }

  #take(key: string, slots: number): Release {
    this.#change(key, slots);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#change(key, -slots);
      this.#grant();
    };
  }

  #change(key: string, slots: number): void {
    const share = (this.#shares.get(key) ?? 0) + slots;
    if (share > 0) this.#shares.set(key, share);
    else this.#shares.delete(key);
    this.#held += slots;
  }

  #isFair(key: string, slots: number): boolean {
    const share = this.#shares.get(key) ?? 0;
    return share === 0 || share + slots <= this.limit / 2;
  }

  #isFree(slots: number): boolean {
    return this.#held + slots <= this.limit;
  }

  #grant(): void {
    const passed = new Set<string>();
    for (const waiting of this.#waiting) {
      const { key, slots, grant } = waiting;
      if (passed.has(key)) continue;
      if (!this.#isFair(key, slots)) {
        passed.add(key);
        continue;
      }
      if (!this.#isFree(slots)) return;
      this.#waiting.delete(waiting);
      grant(this.#take(key, slots));
    }
  }
}
