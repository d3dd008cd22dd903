import type { EventLevel, Fields } from '../observability/log.ts';
import type { Database } from '../migrations/driver.ts';
import { pause } from '../model/wait.ts';
import type { Reach } from './addresses.ts';
import { readEvent } from './events.ts';
import { Lease } from './lease.ts';
import { leastInterval, lookInterval, maxTaken, rareInterval, stopTimeout } from './limits.ts';
import { Outbox } from './outbox.ts';
import { type Outcome, post } from './post.ts';
import {
  countWaiting,
  type Delivery,
  dueDeliveries,
  hasWebhooks,
  listActive,
  queueEvents,
  removeDelivered,
  storeResults,
  timeOf,
  type Webhook,
} from './queue.ts';

/** The numbers of a sender, for the metrics. */
export interface Counts {
  /** Messages that have arrived, and attempts that have failed, since the start. */
  delivered: number;
  failed: number;
  /** Deliveries that wait now, up to a limit, and the seconds for which the oldest of them does. */
  waiting: number;
  lag: number;
}

/** The report of a sender to the thread that has started it. */
export interface Report {
  readonly counts: Counts;
  /** Lines for the log. */
  readonly lines: readonly { readonly level: EventLevel; readonly message: string; readonly fields?: Fields }[];
  /** Whether there is a webhook. */
  readonly isNeeded: boolean;
}

/** Sends the events of a database to its webhooks while it has the lease for that. */
export class Sender {
  readonly #reach: Reach;
  readonly #lease = new Lease();
  readonly #counts: Counts = { delivered: 0, failed: 0, waiting: 0, lag: 0 };
  readonly #outboxes = new Map<string, Outbox>();
  #lines: Report['lines'][number][] = [];
  #isNeeded = true;
  #isStopping = false;
  #isHeldUp = false;
  /** Whether there may be more old deliveries. */
  #isCleaning = false;
  #database: Database | undefined;
  #lost = new AbortController();
  #wake = Promise.withResolvers<void>();
  #nextRare = 0;

  constructor(reach: Reach) {
    this.#reach = reach;
  }

  /** Returns the numbers, and the lines since the last report. */
  report(): Report {
    const lines = this.#lines;
    this.#lines = [];
    return { counts: this.#counts, lines, isNeeded: this.#isNeeded };
  }

  /** Notes an error of `run`. The caller runs it again. */
  fail(error: unknown): void {
    if (!this.#isHeldUp) this.#log('warn', 'Webhooks are held up: the database cannot be used.', { err: error });
    this.#isHeldUp = true;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Ends `run`, which stores the results of requests that end soon. */
  stop(): void {
    this.#isStopping = true;
    this.#wake.resolve();
  }

  /** Sends until it is stopped. @throws the errors of the database; it goes on with another connection then */
  async run(database: Database): Promise<void> {
    this.#database = database;
    const watch = setInterval(() => this.#lease.isHeld || this.#giveUp(), leastInterval);
    try {
      while (!this.#isStopping) {
        this.#wake = Promise.withResolvers();
        const isRare = performance.now() >= this.#nextRare;
        if (isRare) this.#isNeeded = await hasWebhooks(database);
        if (await this.#lease.hold(database)) await this.#look(database, isRare);
        else this.#giveUp();
        if (this.#isHeldUp) this.#log('warn', 'Webhooks are sent again.');
        this.#isHeldUp = false;
        if (isRare) this.#nextRare = performance.now() + rareInterval;
        await pause(leastInterval);
        await Promise.race([pause(lookInterval), this.#wake.promise]);
      }
      await this.#end(database);
    } finally {
      clearInterval(watch);
    }
  }

  /** Stores what was sent, queues what is new, and sends what is due. */
  async #look(database: Database, isRare: boolean): Promise<void> {
    const now = await timeOf(database);
    for (const outbox of this.#outboxes.values()) await this.#store(database, outbox, now);
    const active = await listActive(database);
    const ids = new Set(active.map(({ id }) => id));
    for (const [id, outbox] of this.#outboxes) {
      if (!ids.has(id)) outbox.stop();
      if (outbox.isDone) this.#outboxes.delete(id);
    }
    for (const webhook of active) {
      if (await queueEvents(database, webhook, now)) this.#wake.resolve();
      const outbox = this.#outboxes.getOrInsertComputed(webhook.id, () => this.#open(webhook));
      outbox.webhook = webhook;
      outbox.take(await dueDeliveries(database, webhook, now));
    }
    if (isRare) await this.#count(database, active, now);
    if (isRare || this.#isCleaning) this.#isCleaning = await this.#clean(database, active, now);
  }

  #open(webhook: Webhook): Outbox {
    const outbox: Outbox = new Outbox(
      webhook,
      (to, delivery) => this.#send(to, delivery),
      () => {
        if (outbox.isIdle || outbox.results.length >= maxTaken / 2) this.#wake.resolve();
      },
    );
    return outbox;
  }

  async #send(webhook: Webhook, { event: number, type }: Delivery): Promise<Outcome | undefined> {
    const { signal } = this.#lost;
    try {
      const event = await readEvent(this.#database as Database, webhook.organization, number);
      if (signal.aborted) return undefined;
      if (!event) return { outcome: 'gone', answer: 'the event was removed', duration: 0 };
      const { time, json } = event;
      const body = `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(time)},"data":${json}}`;
      const outcome = await post(webhook, { id: `${webhook.id}_${number}`, body }, this.#reach, signal);
      return signal.aborted ? undefined : outcome;
    } catch {
      // The database does not respond: `run` fails, too.
      return undefined;
    }
  }

  async #store(database: Database, outbox: Outbox, now: number): Promise<void> {
    const { webhook, results } = outbox;
    const { length } = results;
    if (length === 0) return;
    const stored = results.slice();
    const why = await storeResults(database, webhook, stored, now);
    outbox.forget(length);
    const delivered = stored.filter(({ outcome }) => outcome === 'delivered').length;
    this.#counts.delivered += delivered;
    this.#counts.failed += length - delivered;
    if (why === undefined) return;
    outbox.stop();
    this.#log(
      'error',
      `The webhook ${webhook.id} is off: ${why}. \`npm run webhooks -- resume ${webhook.id}\` goes on.`,
    );
  }

  async #count(database: Database, active: readonly Webhook[], now: number): Promise<void> {
    let waiting = 0;
    let oldest = now;
    for (const webhook of active) {
      const found = await countWaiting(database, webhook);
      waiting += found.count;
      oldest = Math.min(oldest, found.oldest);
    }
    Object.assign(this.#counts, { waiting, lag: (now - oldest) / 1_000 });
  }

  async #clean(database: Database, active: readonly Webhook[], now: number): Promise<boolean> {
    let isMore = false;
    for (const webhook of active) isMore = (await removeDelivered(database, webhook, now)) || isMore;
    return isMore;
  }

  /** Leaves requests a moment to end. */
  async #end(database: Database): Promise<void> {
    const outboxes = [...this.#outboxes.values()];
    for (const outbox of outboxes) outbox.stop();
    const deadline = performance.now() + stopTimeout;
    while (performance.now() < deadline && !outboxes.every(({ isIdle }) => isIdle)) await pause(leastInterval);
    const now = await timeOf(database);
    for (const outbox of outboxes) await this.#store(database, outbox, now);
    await this.#lease.release(database);
  }

  #log(level: EventLevel, message: string, fields: Fields = {}): void {
    this.#lines.push({ level, message, fields });
  }

  /** Another process may send now. */
  #giveUp(): void {
    if (this.#outboxes.size === 0) return;
    this.#lost.abort();
    this.#lost = new AbortController();
    this.#outboxes.clear();
  }
}
