import { randomUUID } from 'node:crypto';
import { BroadcastChannel } from 'node:worker_threads';
import type { Outcome } from './post.ts';

export interface HookCall {
  /** Its id: an event may be called again while an earlier call of it is not over. */
  readonly call: string;
  readonly organization: number;
  /** The message about the event, as a webhook gets it. */
  readonly body: string;
}

export interface HooksData {
  /** The name of the channel of `callHooks`, which no other service of this process has. */
  readonly channel: string;
  /** The events that have hooks, like `lending/loan:create`. */
  readonly events: readonly string[];
}

/** The end of a call. */
export interface HookResult extends Pick<HookCall, 'call'> {
  /** The reason why it has failed. */
  readonly failure?: string;
}

/** Calls of hooks by the thread that sends: the main thread does them, as it has the hooks and the store. */
export class HookCalls {
  readonly #channel: BroadcastChannel;
  readonly #pending = new Map<string, (result: HookResult) => void>();
  readonly #events: ReadonlySet<string>;

  constructor({ channel, events }: HooksData) {
    this.#events = new Set(events);
    this.#channel = new BroadcastChannel(channel);
    this.#channel.addEventListener('message', ({ data }) => {
      const result = data as HookResult;
      this.#pending.get(result.call)?.(result);
    });
  }

  /** Whether it has the hooks of all events of a filter: those of another version are left to its processes. */
  haveAll(filter: string): boolean {
    return filter.split(' ').every((event) => this.#events.has(event));
  }

  /** Calls the hook after an event, once. It has a limit of time. */
  async run(event: Omit<HookCall, 'call'>): Promise<Outcome> {
    const start = performance.now();
    const call = randomUUID();
    const { promise, resolve } = Promise.withResolvers<HookResult>();
    this.#pending.set(call, resolve);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it stays within the process
    this.#channel.postMessage({ ...event, call } satisfies HookCall);
    const { failure } = await promise;
    this.#pending.delete(call);
    const duration = Math.round(performance.now() - start);
    return failure === undefined
      ? { state: 'delivered', answer: 'done', duration }
      : { state: 'waiting', answer: failure, duration };
  }
}
