import type { EventLevel, Fields } from '../../observability/log.ts';
import type { Database } from '../../migrations/types.ts';
import { rowsPerSlice } from '../../migrations/limits.ts';
import { checkInterval } from '../../kernel/model/limits.ts';
import { inTurn } from '../../kernel/model/in-turn.ts';
import { pause } from '../../kernel/model/wait.ts';
import type { Courier, Outcome } from './courier.ts';
import { Lease } from './lease.ts';
import { sliceBytes } from '../../kernel/api/limits.ts';
import { Outbox } from './outbox.ts';
import { listActive, rareInterval, type Receiver } from './receivers.ts';
import { Slots } from './slots.ts';
import {
  countWaiting,
  type Delivery,
  dueDeliveries,
  findStirred,
  queueEvents,
  readMessage,
  storeResults,
  timeOf,
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

/** The report of a sender to the thread that has started it: its numbers, and the lines for the log since the last report. */
export interface Report {
  readonly counts: Counts;
  readonly lines: readonly { readonly level: EventLevel; readonly message: string; readonly fields?: Fields }[];
}

/** Milliseconds between two looks for events and retries, and between two if there is more to do at once. */
const lookInterval = checkInterval / 2;
const leastInterval = lookInterval / 10;

const removed: Outcome = { state: 'failed', answer: 'the event was removed', duration: 0 };

/** Sends the events of a database to its receivers while it has the lease for that. */
export class Sender {
  /** Whether `run` ends, after the results of requests that end soon are stored. */
  isStopping = false;
  readonly #couriers: readonly Courier[];
  readonly #lease = new Lease();
  readonly #counts: Counts = { delivered: 0, failed: 0, waiting: 0, lag: 0 };
  readonly #outboxes = new Map<string, Outbox>();
  /** By URL, for couriers that limit what they take at once. */
  readonly #slots = new Map<string, Slots>();
  #lines: Report['lines'][number][] = [];
  #database: Database | undefined;
  #countedAt = -Infinity;

  constructor(couriers: readonly Courier[]) {
    this.#couriers = couriers;
  }

  report(): Report {
    const lines = this.#lines;
    this.#lines = [];
    return { counts: this.#counts, lines };
  }

  /** Notes an error of `run`. The caller runs it again. */
  fail(error: unknown): void {
    this.#lines.push({
      level: 'warn',
      message: 'Deliveries are held up: the database cannot be used.',
      fields: { err: error },
    });
  }

  /** Sends until it is stopped. @throws the errors of the database; it goes on with another connection then */
  async run(database: Database): Promise<void> {
    this.#database = database;
    while (!this.isStopping) {
      // Another process may have sent since then: no more requests start, and results of those under way are not stored.
      if (!this.#lease.isHeld) {
        for (const outbox of this.#outboxes.values()) outbox.clear();
        this.#outboxes.clear();
      }
      if (await this.#lease.hold(database)) await this.#look(database);
      await this.#pause();
    }
    await this.#end(database);
  }

  /** Waits for the next look, less long if there are more events or many results, or a receiver has nothing more to do. */
  async #pause(): Promise<void> {
    const isUrgent = ({ hasMore, isIdle, results }: Outbox): boolean =>
      hasMore || results.length >= rowsPerSlice / 2 || (isIdle && results.length > 0);
    const deadline = performance.now() + lookInterval;
    do await pause(leastInterval);
    while (performance.now() < deadline && !this.#outboxes.values().some(isUrgent));
  }

  /** Stores what was sent, queues what is new, and sends what is due. */
  async #look(database: Database): Promise<void> {
    const now = await timeOf(database);
    await this.#store(database, now);
    const { own: active = [], others = [] } = Object.groupBy(await listActive(database), (receiver) =>
      this.#courierOf(receiver) ? 'own' : 'others',
    );
    for (const [id, outbox] of this.#outboxes) {
      if (active.some((receiver) => receiver.id === id)) continue;
      outbox.clear();
      if (outbox.isIdle && outbox.results.length === 0) this.#outboxes.delete(id);
    }
    const busy = [...this.#outboxes.values()].flatMap(({ isBusy, receiver }) => (isBusy ? [receiver] : []));
    const stirred = await findStirred(database, [...busy, ...others], now);
    for (const receiver of active) {
      const outbox = this.#outboxes.getOrInsertComputed(receiver.id, () => this.#open(receiver));
      if (!outbox.isBusy && !stirred.has(receiver.id)) continue;
      if (!(await this.#lease.hold(database))) return;
      outbox.hasMore = await queueEvents(database, receiver, now);
      const due = await dueDeliveries(database, receiver, now);
      outbox.isBusy = outbox.hasMore || due.length > 0;
      outbox.take(due);
    }
    if (performance.now() < this.#countedAt + rareInterval) return;
    this.#countedAt = performance.now();
    const { count, oldest } = await countWaiting(database, others);
    Object.assign(this.#counts, { waiting: count, lag: Math.max(0, now - oldest) / 1_000 });
  }

  #courierOf(receiver: Receiver): Courier | undefined {
    return this.#couriers.find((courier) => courier.serves(receiver));
  }

  #open(receiver: Receiver): Outbox {
    const courier = this.#courierOf(receiver) as Courier;
    const { maxAtOnce } = courier;
    const slots = maxAtOnce && this.#slots.getOrInsertComputed(receiver.url, () => new Slots(maxAtOnce));
    return new Outbox(receiver, (to, delivery) => {
      const send = (): Promise<Outcome | undefined> => this.#send(courier, to, delivery);
      return slots ? slots.run(send) : send();
    });
  }

  async #send(courier: Courier, receiver: Receiver, delivery: Delivery): Promise<Outcome | undefined> {
    const { id, organization } = receiver;
    const send = async (maxBytes?: number): Promise<Outcome | undefined> => {
      const body = await readMessage(this.#database as Database, organization, delivery, maxBytes);
      if (body === undefined) return removed;
      if (!this.#lease.isHeld) return undefined;
      return courier.take(receiver, { id: `${id}_${delivery.event}`, body });
    };
    try {
      const outcome = await send(sliceBytes);
      // Or it is long: an event may have megabytes, and such messages to a receiver are in memory one at a time.
      return outcome === removed ? await inTurn(id, send) : outcome;
    } catch {
      // The database does not respond: `run` fails, too.
    }
    return undefined;
  }

  async #store(database: Database, now: number): Promise<void> {
    for (const outbox of this.#outboxes.values()) {
      const { id } = outbox.receiver;
      const stored = outbox.results.slice();
      if (stored.length === 0) continue;
      const why = await storeResults(database, outbox.receiver, stored, now);
      outbox.forget(stored.length);
      const delivered = stored.filter(({ state }) => state === 'delivered').length;
      this.#counts.delivered += delivered;
      this.#counts.failed += stored.length - delivered;
      if (why === undefined) continue;
      const message = `The webhook ${id} is off: ${why}. \`npm run webhooks -- resume ${id}\` goes on.`;
      this.#lines.push({ level: 'error', message });
    }
  }

  /** Leaves requests a moment to end. */
  async #end(database: Database): Promise<void> {
    const outboxes = [...this.#outboxes.values()];
    for (const outbox of outboxes) outbox.clear();
    const deadline = performance.now() + checkInterval;
    while (performance.now() < deadline && !outboxes.every(({ isIdle }) => isIdle)) await pause(leastInterval);
    await this.#store(database, await timeOf(database));
    await this.#lease.release(database);
  }
}
