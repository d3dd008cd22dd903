import { checkInterval, maxListLimit } from '../../kernel/model/limits.ts';
import { pause } from '../../kernel/model/wait.ts';
import type { Records } from '../../kernel/records/store.ts';
import { eventPages, type EventQuery } from '../trail/events.ts';
import { largeBytes, sliceBytes } from '../../kernel/api/limits.ts';

/** An event as a stream sends it. */
interface FedEvent {
  readonly number: number;
  readonly text: string;
  readonly about: Readonly<Record<'resource' | 'operation' | 'record' | 'actor', string | null>>;
}

/** The events behind a number, as far as a feed knows them. */
interface Look {
  /** The number up to which they are known. */
  readonly last: number;
  /** Undefined if the feed does not keep all of them: they have to be read. */
  readonly events: readonly FedEvent[] | undefined;
}

/** An event in the form of server-sent events. */
export const sentText = (json: string): string => `id: ${/^{"number":(\d+)/.exec(json)?.[1]}\ndata: ${json}\n\n`;

/** The members before the changes: no string in JSON has a bare quotation mark. */
const aboutOf = (json: string): FedEvent['about'] & { number: number } =>
  JSON.parse(`${json.slice(0, json.indexOf(',"changes":'))}}`) as FedEvent['about'] & { number: number };

/** Whether a query finds an event. */
export const isFound = ({ resources, operation, record, actor }: EventQuery, { about }: FedEvent): boolean =>
  (resources === undefined || resources.includes(about.resource ?? '')) &&
  [
    [operation, about.operation],
    [record, about.record],
    [actor, about.actor],
  ].every(([wanted, value]) => wanted === undefined || wanted === value);

/** Reads the new events of an organization once for all of its streams, and keeps the last ones. */
export class EventFeed {
  readonly #records: Pick<Records, 'ask'>;
  /** The last ones, without a gap. */
  #recent: FedEvent[] = [];
  /** The number of the last event that was read. */
  #last: number | undefined;
  /** Resolves with the next look. */
  #look = Promise.withResolvers<void>();
  #streams = 0;
  #isRunning = false;

  constructor(records: Pick<Records, 'ask'>) {
    this.#records = records;
  }

  /** Looks for new events until as many calls of `leave` have followed. */
  join(): void {
    this.#streams++;
    if (!this.#isRunning) void this.#run();
  }

  /** @returns whether no stream is left */
  leave(): boolean {
    return --this.#streams === 0;
  }

  /** The events behind a number: at once if there are any, otherwise with the next look. @throws the error of that look */
  async behind(after: number): Promise<Look> {
    if (after >= (this.#last ?? 0)) await this.#look.promise;
    const last = Math.max(after, this.#last ?? 0);
    const isKept = after + 1 >= (this.#recent[0]?.number ?? last + 1);
    // Searched from the end: a stream has most of them.
    const first = this.#recent.findLastIndex(({ number }) => number <= after) + 1;
    return { last, events: isKept ? this.#recent.slice(first) : undefined };
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (this.#streams > 0) {
      const { promise, resolve, reject } = this.#look;
      // Maybe no stream waits for it.
      promise.catch(() => undefined);
      const hasMore = await this.#read().catch(reject);
      this.#look = Promise.withResolvers();
      resolve();
      // An event is shown at most a second after its write.
      if (!hasMore) await pause(checkInterval / 2);
    }
    this.#isRunning = false;
    // A stream that lost its place waits for it, and ends.
    this.#look.resolve();
  }

  /** @returns whether there may be more */
  async #read(): Promise<boolean> {
    const isFirst = this.#last === undefined;
    const range = isFirst ? { isDescending: true, limit: 1 } : { after: this.#last as number, limit: maxListLimit };
    const page = await this.#records.ask(eventPages, { ...range, maxBytes: largeBytes });
    const events = page.events.map((json) => {
      const { number, ...about } = aboutOf(json);
      return { number, about, text: sentText(json) };
    });
    this.#last = events.at(-1)?.number ?? this.#last ?? 0;
    if (isFirst) return false;
    this.#recent.push(...events);
    let length = 0;
    // A long one alone is over the limit: each stream reads it when there is room.
    const dropped = this.#recent.findLastIndex(({ text }) => (length += text.length) > sliceBytes);
    this.#recent.splice(0, dropped + 1);
    return page.hasMore;
  }
}
