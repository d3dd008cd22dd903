import { randomUUID } from 'node:crypto';
import { BroadcastChannel } from 'node:worker_threads';
import type { Courier, Message, Outcome } from '../delivery/courier.ts';
import { maxAtOnce } from '../delivery/outbox.ts';
import type { Receiver } from '../delivery/receivers.ts';

/** The beginning of the URL of a receiver that has hooks called; their resource is behind it. */
export const hooksScheme = 'after-hooks:';

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
class HookCalls implements Courier {
  /** The hooks of a resource run in a process that serves requests. */
  readonly maxAtOnce = 4 * maxAtOnce;
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

  /** Hooks of another version are left to its processes. */
  serves({ url, filter }: Receiver): boolean {
    return url.startsWith(hooksScheme) && filter.split(' ').every((event) => this.#events.has(event));
  }

  /** Calls the hook after an event, once. */
  async take({ organization }: Receiver, { body }: Message): Promise<Outcome> {
    const start = performance.now();
    const call = randomUUID();
    const { promise, resolve } = Promise.withResolvers<HookResult>();
    this.#pending.set(call, resolve);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it stays within the process
    this.#channel.postMessage({ call, organization, body } satisfies HookCall);
    const { failure } = await promise;
    this.#pending.delete(call);
    const duration = Math.round(performance.now() - start);
    return failure === undefined
      ? { state: 'delivered', answer: 'done', duration }
      : { state: 'waiting', answer: failure, duration };
  }
}

export const courierOf = (data: HooksData): Courier => new HookCalls(data);
