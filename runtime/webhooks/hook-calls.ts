import { BroadcastChannel } from 'node:worker_threads';
import type { Outcome } from './post.ts';

/** A call of the hook after an event. */
export interface HookCall {
  readonly id: string;
  readonly organization: number;
  /** The message about the event, as a webhook gets it. */
  readonly body: string;
}

/** The end of a call. */
export interface HookResult extends Pick<HookCall, 'id'> {
  /** The reason why it has failed. */
  readonly failure?: string;
}

/** Calls of hooks by the thread that sends: the main thread does them, as it has the hooks and the store. */
export class HookCalls {
  readonly #channel: BroadcastChannel;
  readonly #pending = new Map<string, (result: HookResult) => void>();

  /** @param channel the name of a channel that no other service of this process has */
  constructor(channel: string) {
    this.#channel = new BroadcastChannel(channel);
    this.#channel.addEventListener('message', ({ data }) => {
      const result = data as HookResult;
      this.#pending.get(result.id)?.(result);
    });
  }

  /** Calls a hook, once. It has a limit of time. */
  async call(call: HookCall): Promise<Outcome> {
    const start = performance.now();
    const { promise, resolve } = Promise.withResolvers<HookResult>();
    this.#pending.set(call.id, resolve);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it stays within the process
    this.#channel.postMessage(call);
    const { failure } = await promise;
    this.#pending.delete(call.id);
    const duration = Math.round(performance.now() - start);
    return failure === undefined
      ? { state: 'delivered', answer: 'done', duration }
      : { state: 'waiting', answer: failure, duration };
  }
}
