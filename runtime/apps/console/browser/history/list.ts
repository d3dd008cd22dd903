import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { allows, type Api, type Key, messageOf, type Value } from '../api.ts';
import { Cell } from '../cell.ts';
import { textOf } from '../value-text.ts';
import { type Field, fieldOf, type Resource } from '../model.ts';
import { RecordLink, ReferencesContext } from '../reference.ts';
import { titleOf } from '../text.ts';
import { texts } from '../texts.ts';
import { toast } from '../toast.ts';
import {
  actorName,
  type EventFilters,
  type EventPage,
  operationText,
  readEvents,
  type RecordEvent,
  undo,
} from './events.ts';

/** Fields that every write sets, which an event tells by itself. */
const told = new Set(['id', 'created_at', 'updated_at']);

/** So many changes are shown at once; the others open below them. */
const maxChanges = 6;

type Change = readonly [
  field: Pick<Field, 'name' | 'title' | 'type' | 'references' | 'isStamp'>,
  before: Value,
  after: Value,
];

function changesOf(resource: Resource | undefined, { changes }: RecordEvent): readonly Change[] {
  const { field: parent, path } = resource?.parent ?? {};
  const references = path === undefined ? undefined : [path.split('/').slice(-2).join('/')];
  return Object.entries(changes).flatMap(([name, [before, after]]): Change[] => {
    // A field of an older spec is shown as it is.
    const field: Change[0] = (resource && fieldOf(resource, name)) ?? { name, title: titleOf(name), type: 'string' };
    return told.has(name) || field.isStamp ? [] : [[name === parent ? { ...field, references } : field, before, after]];
  });
}

const side = (field: Change[0], value: Value): VNode =>
  value === '' ? html`<span class="none">${texts.field.empty}</span>` : html`<${Cell} value=${value} field=${field} />`;

const Changes = ({ of, operation }: { of: readonly Change[]; operation: string }): VNode =>
  html`<dl>
    ${of.map(
      ([field, before, after]) =>
        html`<div key=${field.name}>
          <dt>${field.title}</dt>
          <dd>
            ${operation !== 'create' && side(field, before)}
            ${operation !== 'create' && operation !== 'delete' && ' → '} ${operation !== 'delete' && side(field, after)}
          </dd>
        </div>`,
    )}
  </dl>`;

export interface EventsProps {
  readonly api: Api;
  readonly apiKey: Key;
  readonly filters: EventFilters;
  /** Another one reads the events again. */
  readonly turn: unknown;
  /** The record of each event is named, and is a link if it is there. */
  readonly hasRecords?: boolean;
  readonly onUndone: (event: RecordEvent) => void;
}

interface EventProps extends Pick<EventsProps, 'apiKey' | 'hasRecords'> {
  readonly event: RecordEvent;
  readonly isBusy: boolean;
  readonly reverse: () => void;
}

function EventView({ event, apiKey, hasRecords, isBusy, reverse }: EventProps): VNode {
  const { operation, record, resource: route } = event;
  const resource = useContext(ReferencesContext).resourceOf(route);
  const moves = [...(resource?.transitions ?? []), ...Object.values(resource?.archive ?? {})];
  const action = moves.some(({ name }) => name === operation) ? 'transition' : 'write';
  const changes = changesOf(resource, event);
  const [first, rest] = [changes.slice(0, maxChanges), changes.slice(maxChanges)];
  const time = textOf(event.time, { type: 'string', format: 'date-time' });
  const title = operationText(operation);
  return html`<li>
    <div class="event-head">
      <strong>${title}</strong>
      ${hasRecords && html`<span>${resource?.title ?? route} <${RecordLink} route=${route} id=${record} /></span>`}
      <span class="muted"><time datetime=${event.time}>${time}</time> <bdi>${actorName(event, apiKey)}</bdi></span>
      ${
        resource &&
        allows(apiKey, route, action) &&
        html`<button
          type="button"
          class="button quiet"
          aria-label=${texts.history.undoEvent(title, time)}
          aria-disabled=${isBusy ? 'true' : undefined}
          onClick=${reverse}
        >
          ${texts.dialog.undo}
        </button>`
      }
    </div>
    <${Changes} of=${first} operation=${operation} />
    ${
      rest.length > 0 &&
      html`<details>
        <summary>${texts.counts.moreFields(rest.length)}</summary>
        <${Changes} of=${rest} operation=${operation} />
      </details>`
    }
  </li>`;
}

/** Events, the newest first, each with what it has changed and a button that undoes it. */
export function Events({ api, apiKey, filters, turn, hasRecords, onUndone }: EventsProps): VNode {
  const [page, setPage] = useState<EventPage>();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const show = async (next: () => Promise<EventPage>, signal?: AbortSignal): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      setPage(await next());
    } catch (error) {
      if (!signal?.aborted) setFailure(error);
    }
    if (!signal?.aborted) setBusy(false);
  };
  useEffect(() => {
    const controller = new AbortController();
    void show(() => readEvents(api, filters, undefined, controller.signal), controller.signal);
    return () => controller.abort();
  }, [JSON.stringify(filters), turn]);
  const { data = [], has_more: hasMore = false } = page ?? {};
  const more = async (): Promise<EventPage> => {
    const next = await readEvents(api, filters, data.at(-1)?.number);
    return { ...next, data: [...data, ...next.data] };
  };
  const reverse = async (event: RecordEvent): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    try {
      await undo(api, event.number);
      onUndone(event);
    } catch (error) {
      toast(messageOf(error), { isError: true });
    }
    setBusy(false);
  };
  return html`<div class="events" aria-busy=${isBusy}>
    ${failure !== undefined && html`<p class="error-text" role="alert">${messageOf(failure)}</p>`}
    ${page && data.length === 0 && html`<p class="muted">${texts.history.none}</p>`}
    <ul>
      ${data.map(
        (event) =>
          html`<${EventView}
            key=${event.number}
            ...${{ event, apiKey, hasRecords, isBusy, reverse: () => void reverse(event) }}
          />`,
      )}
    </ul>
    ${
      hasMore &&
      html`<button
        type="button"
        class="button quiet"
        aria-disabled=${isBusy ? 'true' : undefined}
        onClick=${() => !isBusy && void show(more)}
      >
        ${texts.history.showMore}
      </button>`
    }
  </div>`;
}
