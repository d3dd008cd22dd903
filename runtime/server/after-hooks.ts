import { randomUUID } from 'node:crypto';
import { BroadcastChannel } from 'node:worker_threads';
import { log } from '../observability/log.ts';
import { performAfter } from '../records/perform.ts';
import type { Store } from '../records/store.ts';
import type { Event } from '../records/undo.ts';
import type { HookCall, HookResult } from '../webhooks/hook-calls.ts';
import { reasonOf } from '../webhooks/post.ts';

/** Calls hooks for `HookCalls`, and logs those that fail. The process can end meanwhile. @returns the name of the channel */
export function callHooks(store: Store): string {
  const channel = randomUUID();
  const calls = new BroadcastChannel(channel);
  const run = async ({ call, organization, body }: HookCall): Promise<void> => {
    const { data: event } = JSON.parse(body) as { readonly data: Event };
    const result: HookResult = await performAfter(store.of(organization), event).then(
      () => ({ call }),
      (error: Error) => ({ call, failure: noteFailure(event, error) }),
    );
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it stays within the process
    calls.postMessage(result);
  };
  calls.addEventListener('message', ({ data }) => void run(data as HookCall));
  calls.unref();
  return channel;
}

/** Logs a failure. @returns its reason */
function noteFailure({ number, resource, operation }: Event, error: Error): string {
  log.warn(`The hook after ${operation} of ${resource} has failed for event ${number}, and is called again.`, {
    err: error,
  });
  return reasonOf(error.cause instanceof Error ? error.cause : error);
}
