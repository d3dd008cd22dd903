import { log } from '../observability/log.ts';
import { checkInterval } from '../model/limits.ts';
import { inTime } from '../model/wait.ts';
import type { DatabaseAddress } from '../migrations/engine.ts';
import { MessageThread } from '../threads/message-thread.ts';
import { sibling } from '../threads/sibling.ts';
import type { HooksData } from './hook-calls.ts';
import { rareInterval } from './limits.ts';
import type { Counts, Report } from './sender.ts';

/** The settings of the thread. */
export interface ThreadData {
  readonly database: DatabaseAddress;
  readonly service: string;
  /** WEBHOOK_PRIVATE */
  readonly allowsPrivate: boolean;
  /** If the service has hooks after events. */
  readonly hooks: HooksData | undefined;
}

/** Sends webhooks in a thread, which starts when the database has a webhook. */
export class Webhooks {
  /** The numbers of the last report. */
  counts: Counts = { delivered: 0, failed: 0, waiting: 0, lag: 0 };
  readonly #thread: MessageThread<'report', Report>;
  readonly #areThere: () => Promise<boolean>;
  #isRunning = false;
  #isClosed = false;

  /** @param areThere whether the database has a webhook */
  constructor(data: ThreadData, areThere: () => Promise<boolean>) {
    this.#areThere = areThere;
    this.#thread = new MessageThread({
      url: sibling('thread', import.meta),
      workerData: data,
      cannotStart: (cause) => new Error('The thread of the webhooks cannot be started.', { cause }),
      lost: (_, cause) => new Error('The thread of the webhooks has failed.', { cause }),
    });
    void this.#look();
  }

  /** Stops sending. Another process goes on, or the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await inTime(this.#thread.close(), 2 * checkInterval);
  }

  async #look(): Promise<void> {
    // The store tells of a database that cannot be read.
    this.#isRunning ||= await this.#areThere().catch(() => false);
    if (this.#isClosed) return;
    if (this.#isRunning) await this.#ask().catch((error) => log.warn('Webhooks are held up.', { err: error }));
    setTimeout(() => void this.#look(), this.#isRunning ? checkInterval : rareInterval).unref();
  }

  async #ask(): Promise<void> {
    const { counts, lines } = await this.#thread.ask('report');
    this.counts = counts;
    for (const { level, message, fields } of lines) log[level](message, fields);
  }
}
