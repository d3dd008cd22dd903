/** Milliseconds between two sweeps. */
const sweepInterval = 500;

/** An item that can have a time limit. The limit links its items to each other: a set of them would take much longer. */
export class Timed {
  /** When its time began, by `performance.now()`. */
  readonly since: number;
  previous: Timed | undefined;
  next: Timed | undefined;

  constructor(since: number) {
    this.since = since;
  }
}

/**
 * A time limit for everything that is added and not deleted again. One sweep serves all: a timer for each request would
 * cost more than the limit is worth.
 */
export class TimeLimit<T extends Timed> {
  readonly #milliseconds: number;
  readonly #expire: (item: T) => void;
  /** Both ends of the list. */
  readonly #ends = new Timed(Infinity);
  #timer: NodeJS.Timeout | undefined;

  /** @param expire is called, once, for an item that has been there for longer, up to half a second later */
  constructor(milliseconds: number, expire: (item: T) => void) {
    this.#milliseconds = milliseconds;
    this.#expire = expire;
    this.#ends.previous = this.#ends.next = this.#ends;
  }

  add(item: T): void {
    const last = this.#ends.previous as Timed;
    item.previous = last;
    item.next = this.#ends;
    last.next = this.#ends.previous = item;
    // setImmediate: after the process was suspended, results that have arrived are read before the sweep.
    this.#timer ??= setInterval(() => setImmediate(() => this.#sweep()), sweepInterval).unref();
  }

  /** Whether an item is neither deleted nor expired. */
  has(item: T): boolean {
    return item.next !== undefined;
  }

  delete(item: T): void {
    const { previous, next } = item;
    if (!previous || !next) return;
    previous.next = next;
    next.previous = previous;
    item.previous = item.next = undefined;
  }

  isOver(since: number): boolean {
    return performance.now() - since > this.#milliseconds;
  }

  #sweep(): void {
    const over: T[] = [];
    for (let item = this.#ends.next as Timed; item !== this.#ends; item = item.next as Timed) {
      if (this.isOver(item.since)) over.push(item as T);
    }
    for (const item of over) {
      if (!this.has(item)) continue;
      this.delete(item);
      this.#expire(item);
    }
    if (this.#ends.next !== this.#ends) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
