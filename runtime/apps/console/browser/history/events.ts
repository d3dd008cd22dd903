import type { Api, Key, Reader, Value } from '../api.ts';
import { toast } from '../toast.ts';
import { texts } from '../texts.ts';
import { titleOf } from '../text.ts';

/** An event: a write of one record, as the API shows it. */
export interface RecordEvent {
  readonly number: number;
  readonly time: string;
  readonly actor: string | null;
  /** The `X-Request-Id` of its request. */
  readonly request_id: string;
  readonly operation: string;
  /** The route of its resource. */
  readonly resource: string;
  readonly record: string;
  readonly changes: Readonly<Record<string, readonly [before: Value, after: Value]>>;
}

export interface EventPage {
  readonly data: readonly RecordEvent[];
  readonly has_more: boolean;
}

/** Some of the filters of events, by their names in the API. */
export type EventFilters = Readonly<Partial<Record<'resource' | 'record' | 'operation' | 'actor', string>>>;

/** An operation, as an event tells it. A transition is named as its button is. */
export function operationText(operation: string): string {
  const { operations } = texts.history;
  return Object.hasOwn(operations, operation) ? operations[operation as keyof typeof operations] : titleOf(operation);
}

/** An actor, as all pages name it: a key is known by its id alone, but for the key in use. */
export const actorName = ({ actor }: RecordEvent, key: Key): string =>
  actor === key.actor ? texts.history.you : (actor ?? '–');

const path = '/api/events';

/** So many events are read at once. */
const pageSize = 20;

/**
 * Reads events, the newest first.
 *
 * @param after the number of the last event that is shown
 * @throws as `Api` does
 */
export function readEvents(
  api: Reader,
  filters: EventFilters,
  after?: number,
  signal?: AbortSignal,
): Promise<EventPage> {
  const behind = after === undefined ? {} : { after: String(after) };
  const query = new URLSearchParams({ ...filters, ...behind, sort: '-number', limit: String(pageSize) });
  return api.get<EventPage>(`${path}?${query}`, signal);
}

/** The number of the newest event that the key may see; 0 if there is none. @throws as `Api` does */
export async function newestEvent(api: Api): Promise<number> {
  const { data } = await api.get<EventPage>(`${path}?sort=-number&limit=1`);
  return data[0]?.number ?? 0;
}

/** Reads the longest page of events behind one, the oldest first. @throws as `Api` does */
export function readEventsBehind(api: Api, filters: EventFilters, after: number): Promise<EventPage> {
  return api.get<EventPage>(`${path}?${new URLSearchParams({ ...filters, after: String(after), limit: '1000' })}`);
}

/** Reverses what an event did. @throws as `Api` does */
export const reverse = (api: Api, number: number): Promise<unknown> =>
  api.send({ method: 'POST', path: `${path}/${number}/undo` });

/** Reverses what an event did, and says so. @throws as `Api` does */
export async function undo(api: Api, number: number): Promise<void> {
  await reverse(api, number);
  toast(texts.history.undone);
}

/** Waits until the event of a write shows: that can be a second after its response. */
export const untilShown = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1_000));

/** Restores a record that was just deleted. @throws as `Api` does */
export async function undoDelete(api: Api, resource: string, record: string): Promise<void> {
  const find = async (): Promise<RecordEvent | undefined> =>
    (await readEvents(api, { resource, record, operation: 'delete' })).data[0];
  const event = (await find()) ?? (await untilShown().then(find));
  if (!event) throw new Error(texts.history.noEvents);
  await undo(api, event.number);
}
