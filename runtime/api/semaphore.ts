import type { ServerResponse } from 'node:http';
import { ApiError, overloaded } from '../model/errors.ts';
import { maxBodyBytes, maxWorkDuration } from '../model/limits.ts';
import { limitWait } from '../model/wait.ts';

/** A request that needs bytes. */
export interface Requester {
  /** Its key, however it is written. */
  readonly key: string;
  readonly outgoing: Pick<ServerResponse, 'closed' | 'once' | 'off'>;
}

interface Waiting {
  readonly bytes: number;
  readonly work: number;
  readonly grant: () => void;
}

/** The bytes that one key holds, and its requests that wait. */
interface KeyShare {
  held: number;
  readonly waiting: Waiting[];
}

export const connectionClosed = (): ApiError =>
  new ApiError('bad_request', 'The connection closed before the request was processed.');

/**
 * The bytes that the large requests of a process hold at once.
 *
 * A key may hold as many bytes as are left free then: one alone half of them, n keys 1 / (n + 1) each, so that a newcomer
 * always finds room (the dynamic thresholds of Choudhury and Hahne, IEEE/ACM Transactions on Networking 6(2), 1998). A request
 * for more than any key may hold is granted when nothing is held, and no other request overtakes it. Keys take turns.
 */
export class Semaphore {
  readonly limit: number;
  #held = 0;
  /** Bytes of JSON that were made in this turn of the event loop: about 1 MiB takes some milliseconds, and other requests go past it. */
  #turn = 0;
  /** A request waits for the end of all others. */
  #isDraining = false;
  #isScheduled = false;
  /** The keys that hold or wait for bytes, the last served at the end. */
  readonly #shares = new Map<string, KeyShare>();

  /** @param limit bytes */
  constructor(limit: number) {
    this.limit = limit;
  }

  get held(): number {
    return this.#held;
  }

  /** Whether this turn of the event loop has done enough: more work should wait for the next one. */
  get isLoopTurnFull(): boolean {
    return this.#turn > maxBodyBytes;
  }

  /** Counts JSON that was made in this turn. */
  note(bytes: number): void {
    this.#turn += bytes;
    this.#schedule();
  }

  /** Holds bytes for a key if they fit now, and none of its requests waits. @returns whether it does */
  tryAcquire(key: string, bytes: number): boolean {
    const { held = 0, waiting = [] } = this.#shares.get(key) ?? {};
    const isFree = waiting.length === 0 && !this.#isDraining && this.#fits(held, bytes);
    if (isFree) this.change(key, bytes);
    return isFree;
  }

  /**
   * Holds bytes for a request when they fit.
   *
   * @param work bytes of JSON that are made at once then: about 1 MiB is begun in each turn of the event loop
   * @param isFirst goes ahead of the key's other requests, which would take what it waits for
   * @throws ApiError `overloaded` (503) if they do not fit in time, `bad_request` if the connection closes before
   */
  async acquire({ key, outgoing }: Requester, bytes: number, work = 0, isFirst = false): Promise<void> {
    if (outgoing.closed) throw connectionClosed();
    if (work === 0 && this.tryAcquire(key, bytes)) return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting = { bytes, work, grant: resolve };
    const all = this.#shareOf(key).waiting;
    if (isFirst) all.unshift(waiting);
    else all.push(waiting);
    this.#schedule();
    const onClose = (): void => reject(connectionClosed());
    const onTimeout = (): void =>
      reject(overloaded('The server holds too many bytes for large requests and responses.'));
    outgoing.once('close', onClose);
    try {
      await limitWait(maxWorkDuration, promise, onTimeout);
    } catch (error) {
      all.splice(all.indexOf(waiting), 1);
      this.change(key, 0);
      throw error;
    } finally {
      outgoing.off('close', onClose);
    }
  }

  /** Changes the number of bytes that a key holds, whether they fit or not: they are in memory already. */
  change(key: string, bytes: number): void {
    const share = this.#shareOf(key);
    share.held += bytes;
    this.#held += bytes;
    if (share.held === 0 && share.waiting.length === 0) this.#shares.delete(key);
    if (bytes <= 0) this.#schedule();
  }

  #fits(held: number, bytes: number): boolean {
    return this.#held === 0 || held + bytes <= this.limit - this.#held - bytes;
  }

  #shareOf(key: string): KeyShare {
    return this.#shares.getOrInsertComputed(key, () => ({ held: 0, waiting: [] }));
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#grant());
  }

  /** Grants what fits now, to one key after the other. */
  #grant(): void {
    this.#isScheduled = false;
    this.#turn = 0;
    this.#isDraining = false;
    for (const [key, share] of this.#shares) {
      const [first] = share.waiting;
      if (!first) continue;
      if (!this.#fits(share.held, first.bytes)) {
        this.#isDraining = share.held === 0;
        if (this.#isDraining) break;
        continue;
      }
      if (this.#turn > 0 && this.#turn + first.work > maxBodyBytes) break;
      this.#turn += first.work;
      share.waiting.shift();
      this.#shares.delete(key);
      this.#shares.set(key, share);
      this.change(key, first.bytes);
      first.grant();
    }
    // The next turn counts from zero.
    if (this.#turn > 0) this.#schedule();
  }
}
