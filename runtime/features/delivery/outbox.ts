import type { Outcome } from './courier.ts';
import type { Delivery, Result } from './queue.ts';
import type { Receiver } from './receivers.ts';

/** Attempts at one receiver at once. */
export const maxAtOnce = 16;

/** Makes an attempt. @returns undefined if it was given up */
type Send = (receiver: Receiver, delivery: Delivery) => Promise<Outcome | undefined>;

/** The deliveries of a receiver that are in memory, at most one of each record: they come in any order. */
export class Outbox {
  readonly receiver: Receiver;
  /** Whether the last look has found anything, or none was yet. */
  isBusy = true;
  /** Whether there are more events to queue. */
  hasMore = false;
  /** Results that are not stored yet. */
  readonly results: Result[] = [];
  readonly #send: Send;
  readonly #waiting: Delivery[] = [];
  /** Numbers of the events that wait, are being sent or have a result. */
  readonly #known = new Set<number>();
  #sending = 0;

  constructor(receiver: Receiver, send: Send) {
    this.receiver = receiver;
    this.#send = send;
  }

  /** Whether it sends nothing now. */
  get isIdle(): boolean {
    return this.#sending === 0;
  }

  /** Sends deliveries that are due, but for those that it has already. */
  take(deliveries: readonly Delivery[]): void {
    for (const delivery of deliveries) {
      if (this.#known.has(delivery.event)) continue;
      this.#known.add(delivery.event);
      this.#waiting.push(delivery);
    }
    this.#sendNext();
  }

  /** Forgets what is not being sent yet. */
  clear(): void {
    for (const { event } of this.#waiting.splice(0)) this.#known.delete(event);
  }

  /** Forgets the first results, which are stored. */
  forget(count: number): void {
    for (const { event } of this.results.splice(0, count)) this.#known.delete(event);
  }

  #sendNext(): void {
    while (this.#sending < maxAtOnce && this.#waiting.length > 0) void this.#attempt(this.#waiting.shift() as Delivery);
  }

  async #attempt(delivery: Delivery): Promise<void> {
    this.#sending++;
    const outcome = await this.#send(this.receiver, delivery);
    this.#sending--;
    if (outcome) this.results.push({ ...delivery, ...outcome });
    else this.#known.delete(delivery.event);
    this.#sendNext();
  }
}
