import { maxFailures, maxPosts } from './limits.ts';
import type { Outcome } from './post.ts';
import type { Delivery, Result, Webhook } from './queue.ts';

/** Makes an attempt. @returns undefined if it was given up */
type Send = (webhook: Webhook, delivery: Delivery) => Promise<Outcome | undefined>;

/** The deliveries of a webhook that are in memory. The deliveries of a record are sent one after the other. */
export class Outbox {
  webhook: Webhook;
  /** Results that are not stored yet. */
  readonly results: Result[] = [];
  readonly #send: Send;
  readonly #onResult: () => void;
  /** By record, the deliveries that have not arrived. After a failure, all of them wait until it is stored. */
  readonly #chains = new Map<string, Delivery[]>();
  /** Records whose next delivery can be sent. */
  readonly #ready: string[] = [];
  /** Numbers of the events in `#chains` and `results`. */
  readonly #known = new Set<number>();
  #sending = 0;
  /** Failures since the last success. */
  #failures = 0;
  #isOver = false;

  constructor(webhook: Webhook, send: Send, onResult: () => void) {
    this.webhook = webhook;
    this.#send = send;
    this.#onResult = onResult;
  }

  /** Whether it sends nothing now. */
  get isIdle(): boolean {
    return this.#sending === 0;
  }

  /** Whether it sends nothing more, and all results are stored. */
  get isDone(): boolean {
    return this.#isOver && this.isIdle && this.results.length === 0;
  }

  /** Takes deliveries that are due and sends them, but for those that it has already. */
  take(deliveries: readonly Delivery[]): void {
    for (const delivery of deliveries) {
      const { event, record } = delivery;
      if (this.#known.has(event)) continue;
      this.#known.add(event);
      const chain = this.#chains.get(record);
      chain?.push(delivery);
      if (chain) continue;
      this.#chains.set(record, [delivery]);
      this.#ready.push(record);
    }
    this.#sendNext();
  }

  /** Sends nothing more. */
  stop(): void {
    this.#isOver = true;
  }

  /** Forgets the first results: they are stored, and so is the time of the next attempt of those that failed. */
  forget(count: number): void {
    for (const { event, record, outcome } of this.results.splice(0, count)) {
      this.#known.delete(event);
      if (outcome === 'failed') this.#forgetChain(record);
    }
  }

  #forgetChain(record: string): void {
    for (const { event } of this.#chains.get(record) ?? []) this.#known.delete(event);
    this.#chains.delete(record);
  }

  #sendNext(): void {
    // A receiver that is down gets one request at a time.
    const limit = this.#failures < maxFailures ? maxPosts : 1;
    while (!this.#isOver && this.#sending < limit) {
      const record = this.#ready.shift();
      if (record === undefined) return;
      void this.#attempt(record, this.#chains.get(record) as Delivery[]);
    }
  }

  async #attempt(record: string, chain: Delivery[]): Promise<void> {
    const delivery = chain[0] as Delivery;
    this.#sending++;
    const result = await this.#send(this.webhook, delivery);
    this.#sending--;
    if (!result) this.#forgetChain(record);
    else this.#note(delivery, result, chain);
    this.#sendNext();
    this.#onResult();
  }

  #note(delivery: Delivery, result: Outcome, chain: Delivery[]): void {
    this.results.push({ ...delivery, ...result });
    const hasFailed = result.outcome === 'failed';
    this.#failures = hasFailed ? this.#failures + 1 : 0;
    if (hasFailed) return;
    chain.shift();
    if (chain.length > 0) this.#ready.push(delivery.record);
    else this.#chains.delete(delivery.record);
  }
}
