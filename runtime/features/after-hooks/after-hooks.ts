import { randomUUID } from 'node:crypto';
import { BroadcastChannel } from 'node:worker_threads';
import { log } from '../../observability/log.ts';
import { performAfter } from './perform.ts';
import type { Event } from '../trail/events.ts';
import type { HookCall, HookResult, HooksData } from './hook-calls.ts';
import type { Running } from '../../kernel/running.ts';
import { sibling } from '../../threads/sibling.ts';
import { couriersOf, reasonOf } from '../delivery/courier.ts';
import { hookedEvents } from '../hooks/hooks.ts';

/** Has the hooks after events called, in the first process of a server. */
export function startHooks(running: Running): void {
  const { service, number } = running;
  const events = hookedEvents(service.tables);
  if (number > 0 || events.length === 0) return;
  running.keepsStore = true;
  const data: HooksData = { channel: callHooks(running), events };
  couriersOf(running).push({ module: sibling('hook-calls', import.meta).href, data });
}

/** Calls hooks for `HookCalls`, and logs those that fail. The process can end meanwhile. @returns the name of the channel */
function callHooks(running: Running): string {
  const channel = randomUUID();
  const calls = new BroadcastChannel(channel);
  const run = async ({ call, organization, body }: HookCall): Promise<void> => {
    const { data: event } = JSON.parse(body) as { readonly data: Event };
    const result: HookResult = await performAfter(running, running.store.of(organization), event).then(
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
