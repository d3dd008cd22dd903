import { type Api, type Key, messageOf, problemOf } from '../../api.ts';
import { type Resource, updatedAt } from '../../model.ts';
import { newestEvent, type RecordEvent, readEventsBehind, reverse, untilShown } from '../../history/events.ts';
import type { References } from '../../reference.ts';
import { each } from './each.ts';
import type { Failure, Tally } from './run.ts';

/** How the events of a run are found. */
export interface Traces {
  /** The id of its requests. */
  readonly requestId: string;
  /** The number of the last event before it. */
  readonly after: number;
}

/** Begins to note what a run does. @throws as `Api` does */
export const beginTraces = async (api: Api, requestId: string): Promise<Traces> => ({
  requestId,
  after: await newestEvent(api),
});

/** The part of an event that is kept: those of thousands of deletes would be long. */
interface Reversible extends Pick<RecordEvent, 'number' | 'resource' | 'record' | 'operation'> {
  /** The id of the parent of a line item that was deleted. */
  readonly parent: unknown;
}

/** Whether an event tells of nothing but what follows from others: totals, and who has changed it when. */
function isComputed({ operation, changes }: RecordEvent, resource: Resource | undefined): boolean {
  const isOwn = (name: string): boolean =>
    name === updatedAt ||
    resource?.fields.some((field) => field.name === name && (field.isComputed || field.isStamp)) === true;
  return operation === 'update' && Object.keys(changes).every(isOwn);
}

/** Reads the events of a run, the newest first. */
async function eventsOf(
  api: Api,
  { actor }: Key,
  traces: Traces,
  count: number,
  references: References,
): Promise<readonly Reversible[]> {
  const events: Reversible[] = [];
  let { after } = traces;
  for (let isLast = false; ;) {
    const page = await readEventsBehind(api, { actor }, after);
    for (const event of page.data) {
      after = event.number;
      if (event.request_id !== traces.requestId) continue;
      const { number, resource: route, record, operation, changes } = event;
      const resource = references.resourceOf(route);
      const parent = operation === 'delete' ? changes[resource?.parent?.field ?? '']?.[0] : undefined;
      if (!isComputed(event, resource)) events.push({ number, resource: route, record, operation, parent });
    }
    if (page.has_more && page.data.length > 0) continue;
    if (isLast || events.length >= count) break;
    isLast = true;
    await untilShown();
  }
  const deleted = new Set<unknown>(events.flatMap(({ operation, record }) => (operation === 'delete' ? [record] : [])));
  // Line items come back with their records.
  return events.filter(({ parent }) => !deleted.has(parent)).toReversed();
}

interface UndoOptions {
  readonly onProgress: (tally: Tally, total: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Reverses the events of a run, the newest first. One may wait for another: a reference can be set again once the record that it
 * names is back. So those that fail are tried again as long as others succeed.
 *
 * @param count of the records that the run has changed
 * @throws as `Api` does
 */
export async function undoRun(
  api: Api,
  apiKey: Key,
  traces: Traces,
  count: number,
  references: References,
  { onProgress, signal }: UndoOptions,
): Promise<Tally> {
  let pending = await eventsOf(api, apiKey, traces, count, references);
  const total = pending.length;
  let done = 0;
  for (;;) {
    const failed = new Map<Reversible, Failure>();
    await each(pending, signal, async (event) => {
      try {
        await reverse(api, event.number);
        done += 1;
      } catch (error) {
        if ((problemOf(error)?.status ?? 500) >= 500) throw error;
        failed.set(event, { route: event.resource, id: event.record, reason: messageOf(error) });
      }
      onProgress({ done, failures: [] }, total);
    });
    const isOver = failed.size === 0 || failed.size === pending.length || signal.aborted;
    if (isOver) return { done, failures: [...failed.values()] };
    pending = pending.filter((event) => failed.has(event));
  }
}
