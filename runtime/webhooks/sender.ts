import type { EventLevel, Fields } from '../observability/log.ts';
import type { Database } from '../migrations/types.ts';
import { rowsPerSlice } from '../migrations/limits.ts';
import { isOfHooks } from '../migrations/webhook-rows.ts';
import { checkInterval } from '../model/limits.ts';
import { inTurn } from '../model/in-turn.ts';
import { pause } from '../model/wait.ts';
import type { HookCalls } from './hook-calls.ts';
import { Lease } from './lease.ts';
import { leastInterval, lookInterval, maxCalls, maxSharedBytes, rareInterval } from './limits.ts';
import { Outbox } from './outbox.ts';
import { type Outcome, post } from './post.ts';
import { Slots } from './slots.ts';
import {
  countWaiting,
  type Delivery,
  dueDeliveries,
  findStirred,
  listActive,
  queueEvents,
  readMessage,
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

/** The report of a sender to the thread that has started it: its numbers, and the lines for the log since the last report. */
export interface Report {
  readonly counts: Counts;
  readonly lines: readonly { readonly level: EventLevel; readonly message: string; readonly fields?: Fields }[];
}

const removed: Outcome = { state: 'failed', answer: 'the event was removed', duration: 0 };

/** Sends the events of a database to its webhooks while it has the lease for that. */
export class Sender {
  /** Whether `run` ends, after the results of requests that end soon are stored. */
  isStopping = false;
  readonly #allowsPrivate: boolean;
  readonly #hooks: HookCalls | undefined;
  readonly #lease = new Lease();
  readonly #counts: Counts = { delivered: 0, failed: 0, waiting: 0, lag: 0 };
  readonly #outboxes = new Map<string, Outbox>();
  /** For the hooks of each resource, by the URL of their webhooks. */
  readonly #slots = new Map<string, Slots>();
  #lines: Report['lines'][number][] = [];
  #database: Database | undefined;
  #countedAt = -Infinity;

  /**
   * @param allowsPrivate whether receivers may have private addresses
   * @param hooks how hooks after events are called; undefined if the service has none
   */
  constructor(allowsPrivate: boolean, hooks: HookCalls | undefined) {
    this.#allowsPrivate = allowsPrivate;
    this.#hooks = hooks;
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
      message: 'Webhooks are held up: the database cannot be used.',
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
    // Hooks of another version are left to its processes.
    const { own: active = [], others = [] } = Object.groupBy(await listActive(database), (webhook) =>
      !isOfHooks(webhook) || this.#hooks?.haveAll(webhook.filter) === true ? 'own' : 'others',
    );
    for (const [id, outbox] of this.#outboxes) {
      if (active.some((webhook) => webhook.id === id)) continue;
      outbox.clear();
      if (outbox.isIdle && outbox.results.length === 0) this.#outboxes.delete(id);
    }
    const busy = [...this.#outboxes.values()].flatMap(({ isBusy, webhook }) => (isBusy ? [webhook] : []));
    const stirred = await findStirred(database, busy, now);
    for (const webhook of active) {
      const outbox = this.#outboxes.getOrInsertComputed(webhook.id, () => this.#open(webhook));
      if (!outbox.isBusy && !stirred.has(webhook.id)) continue;
      if (!(await this.#lease.hold(database))) return;
      outbox.hasMore = await queueEvents(database, webhook, now);
      const due = await dueDeliveries(database, webhook, now);
      outbox.isBusy = outbox.hasMore || due.length > 0;
      outbox.take(due);
    }
    if (performance.now() < this.#countedAt + rareInterval) return;
    this.#countedAt = performance.now();
    const { count, oldest } = await countWaiting(database, others);
    Object.assign(this.#counts, { waiting: count, lag: Math.max(0, now - oldest) / 1_000 });
  }

  #open(webhook: Webhook): Outbox {
    const slots = isOfHooks(webhook)
      ? this.#slots.getOrInsertComputed(webhook.url, () => new Slots(maxCalls))
      : undefined;
    return new Outbox(webhook, (to, delivery) =>
      slots ? slots.run(() => this.#send(to, delivery)) : this.#send(to, delivery),
    );
  }

  async #send(webhook: Webhook, delivery: Delivery): Promise<Outcome | undefined> {
    const send = async (maxBytes?: number): Promise<Outcome | undefined> => {
      const { id, organization } = webhook;
      const body = await readMessage(this.#database as Database, organization, delivery, maxBytes);
      if (body === undefined) return removed;
      if (!this.#lease.isHeld) return undefined;
      if (this.#hooks && isOfHooks(webhook)) return this.#hooks.run({ organization, body });
      return post(webhook, { id: `${id}_${delivery.event}`, body }, this.#allowsPrivate);
    };
    try {
      const outcome = await send(maxSharedBytes);
      // Or it is long.
      return outcome === removed ? await inTurn(webhook.id, send) : outcome;
    } catch {
      // The database does not respond: `run` fails, too.
    }
    return undefined;
  }

  async #store(database: Database, now: number): Promise<void> {
    for (const outbox of this.#outboxes.values()) {
      const { id } = outbox.webhook;
      const stored = outbox.results.slice();
      if (stored.length === 0) continue;
      const why = await storeResults(database, outbox.webhook, stored, now);
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
