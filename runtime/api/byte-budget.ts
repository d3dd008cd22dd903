import { type ApiError, overloaded } from '../model/errors.ts';
import type { MaybePromise } from '../model/maybe-promise.ts';
import { type Caller, Waiter } from './waiter.ts';

/** Milliseconds that a reservation waits for room. */
export const maxWait = 10_000;

/** The bytes that one client holds, and its waiting requests. */
interface Share {
  held: number;
  readonly waiting: Claim[];
}

/** A request that waits for room, and the bytes that it already holds. */
interface Claim {
  readonly waiter: Waiter<Reservation>;
  readonly own: number;
}

/**
 * The bytes that a process holds for its clients at once.
 *
 * A client may hold as many bytes as are left free then: one alone half of the budget, n of them 1 / (n + 1) each, so
 * that a newcomer always finds room (the dynamic thresholds of Choudhury and Hahne, IEEE/ACM Transactions on Networking
 * 6(2), 1998). A request for more than any client may hold is granted while nothing is held.
 */
export class ByteBudget {
  readonly limit: number;
  #held = 0;
  /** The clients that hold or wait for something, the last served at the end. */
  readonly #shares = new Map<string, Share>();

  /** @param limit bytes */
  constructor(limit: number) {
    this.limit = limit;
  }

  get held(): number {
    return this.#held;
  }

  /** Whether a client may hold so many more bytes now. Those who wait come first, unless it holds some already. */
  fits(client: string, bytes: number, own = 0): boolean {
    const share = this.#shares.get(client);
    if (!share) return this.#fits(0, bytes, own);
    return (own > 0 || share.waiting.length === 0) && this.#fits(share.held, bytes, own);
  }

  /**
   * Reserves bytes for a caller, and waits until they fit.
   *
   * @param own bytes that are held for the same request: if they are all that is held, any more fit
   * @throws ApiError `overloaded` (503) where they do not fit within 10 seconds, or while the caller has patience;
   *   `bad_request` if its connection closes before
   */
  reserve(caller: Caller, bytes: number, own = 0): MaybePromise<Reservation> {
    const { client } = caller;
    return this.fits(client, bytes, own) ? this.take(client, bytes) : this.#wait(caller, bytes, own);
  }

  /** Reserves bytes whether they fit or not: they are held already. */
  take(client: string, bytes: number): Reservation {
    const reservation = new Reservation(this, client);
    reservation.resize(bytes);
    return reservation;
  }

  /** For reservations alone. */
  change(client: string, bytes: number): void {
    const share = this.#shareOf(client);
    share.held += bytes;
    this.#held += bytes;
    if (share.held === 0 && share.waiting.length === 0) this.#shares.delete(client);
    if (bytes < 0) this.#grant();
  }

  #fits(held: number, bytes: number, own: number): boolean {
    return this.#held <= own || held + bytes <= this.limit - this.#held - bytes;
  }

  #shareOf(client: string): Share {
    let share = this.#shares.get(client);
    if (!share) this.#shares.set(client, (share = { held: 0, waiting: [] }));
    return share;
  }

  #wait(caller: Caller, bytes: number, own: number): Promise<Reservation> {
    const { client } = caller;
    const { waiting } = this.#shareOf(client);
    const late = (): ApiError => overloaded('The server holds too many bytes for large requests and responses.');
    const waiter = new Waiter<Reservation>(caller, bytes, maxWait, late, (left) => {
      waiting.splice(
        waiting.findIndex((claim) => claim.waiter === left),
        1,
      );
      this.change(client, 0);
      this.#grant();
    });
    // Requests that already hold memory go first.
    if (own > 0) waiting.unshift({ waiter, own });
    else waiting.push({ waiter, own });
    return waiter.called;
  }

  /** Grants what fits now, to one client after the other. */
  #grant(): void {
    for (const [client, share] of this.#shares) {
      const [first] = share.waiting;
      if (!first || !this.#fits(share.held, first.waiter.bytes, first.own)) continue;
      share.waiting.shift();
      this.#shares.delete(client);
      this.#shares.set(client, share);
      first.waiter.call(this.take(client, first.waiter.bytes));
    }
  }
}

/** Bytes that are held for a client until they are released. */
export class Reservation {
  readonly #budget: ByteBudget;
  readonly #client: string;
  #bytes = 0;

  constructor(budget: ByteBudget, client: string) {
    this.#budget = budget;
    this.#client = client;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Corrects an estimate: the bytes are held, whether they fit or not. */
  resize(bytes: number): void {
    const more = bytes - this.#bytes;
    this.#bytes = bytes;
    if (more !== 0) this.#budget.change(this.#client, more);
  }

  release(): void {
    this.resize(0);
  }
}
