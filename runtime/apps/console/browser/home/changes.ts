import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { RecordData } from '../api.ts';
import { operationText, readEvents, type RecordEvent } from '../history/events.ts';
import { fieldOf, type Resource } from '../model.ts';
import { recordName } from '../name.ts';
import { RecordLink, ReferencesContext, type Session } from '../reference.ts';
import { relativeTime } from '../relative-time.ts';
import { hrefOf } from '../route.ts';
import { activityRoute } from '../shell/places.ts';
import { titleOf } from '../text.ts';
import { texts } from '../texts.ts';
import { textOf } from '../value-text.ts';
import { usePart } from './part.ts';

/** So many changes are shown, each of another record. */
const maxShown = 6;

/** So many fields of an update are named. */
const maxFields = 2;

/** The newest event of each record. */
const newest = (events: readonly RecordEvent[]): readonly RecordEvent[] =>
  [...new Map(events.toReversed().map((event) => [`${event.resource} ${event.record}`, event])).values()]
    .toSorted((one, other) => other.number - one.number)
    .slice(0, maxShown);

/** The fields that an update has set, but for those that every update sets. */
function changedFields(resource: Resource | undefined, { changes }: RecordEvent): string {
  const titles = Object.keys(changes).flatMap((name) => {
    const field = resource && fieldOf(resource, name);
    return field?.readOnly || field?.isStamp || name === 'updated_at' ? [] : [field?.title ?? titleOf(name)];
  });
  const rest = titles.length - maxFields;
  const named = titles.slice(0, maxFields);
  return [...named, ...(rest > 0 ? [texts.counts.moreFields(rest)] : [])].join(', ');
}

/** The operation of a change, in words. */
function wordsOf(resource: Resource | undefined, event: RecordEvent): string {
  const words = operationText(event.operation);
  const fields = event.operation === 'update' ? changedFields(resource, event) : '';
  return fields === '' ? words : `${words}: ${fields}`;
}

/** The record of a change: of one that was deleted, the name that it had; of a line item, its parent if the change tells it. */
function Changed({ event }: { event: RecordEvent }): VNode {
  const references = useContext(ReferencesContext);
  const resource = references.resourceOf(event.resource);
  const { operation, record, changes } = event;
  if (resource?.parent) {
    const owner = references.resourceAt(resource.parent.path);
    const [before, after] = changes[resource.parent.field] ?? [];
    const parent = after ?? before;
    return owner && typeof parent === 'string'
      ? html`<${RecordLink} route=${owner.route} id=${parent} />`
      : html`<span>${resource.title}</span>`;
  }
  if (operation !== 'delete' || !resource) return html`<${RecordLink} route=${event.resource} id=${record} />`;
  const values = Object.entries(changes).map(([name, [before]]) => [name, before] as const);
  const name = recordName(resource, Object.fromEntries(values) as RecordData) ?? record;
  return html`<bdi>${name}</bdi>`;
}

type InTurn = <T>(start: () => Promise<T>) => Promise<T>;

interface ListProps {
  readonly session: Session;
  readonly inTurn: InTurn;
  /** Only those of this actor. */
  readonly actor: string | undefined;
  /** Is told how many changes there are, at least. */
  readonly onTotal: ((total: number) => void) | undefined;
}

/** The newest change of each record that was changed last. */
function ChangeList({ session, inTurn, actor, onTotal }: ListProps): VNode {
  const { api, key } = session;
  const references = useContext(ReferencesContext);
  const filters = actor === undefined ? {} : { actor };
  const { value: events, failure } = usePart(async (signal) => {
    const { data } = await inTurn(() => readEvents(api, filters, undefined, signal));
    return newest(data);
  });
  useEffect(() => {
    if (events) onTotal?.(events.length);
  }, [events]);
  const entry = (event: RecordEvent): VNode => {
    const resource = references.resourceOf(event.resource);
    const time = textOf(event.time, { type: 'string', format: 'date-time' });
    const who = event.actor === key.actor ? texts.home.you : (event.actor ?? '–');
    return html`<li key=${event.number}>
      <span class="home-what">
        <${Changed} event=${event} />
        <span class="muted">${resource?.title ?? event.resource} · ${wordsOf(resource, event)}</span>
      </span>
      <span class="muted">
        ${actor === undefined && html`<bdi>${who}</bdi> · `}
        <time datetime=${event.time} title=${time}>${relativeTime(event.time)}</time>
      </span>
    </li>`;
  };
  return html`${failure}
    <ul class="home-shelf home-changes" aria-busy=${!events && !failure}>
      ${events?.map(entry)} ${events?.length === 0 && html`<li class="muted">${texts.home.noChanges}</li>`}
    </ul>`;
}

interface ChangesProps extends Pick<ListProps, 'session' | 'inTurn'> {
  readonly onTotal: (total: number) => void;
}

/** The latest changes: of all, or of the user's key alone. */
export function Changes({ session, inTurn, onTotal }: ChangesProps): VNode {
  const [isOwn, setOwn] = useState(false);
  const { actor } = session.key;
  const query = new URLSearchParams(isOwn ? { actor } : {});
  const choice = (label: string, own: boolean): VNode =>
    html`<button
      type="button"
      class="button quiet"
      aria-pressed=${own === isOwn ? 'true' : 'false'}
      onClick=${() => setOwn(own)}
    >
      ${label}
    </button>`;
  const list = { session, inTurn, actor: isOwn ? actor : undefined, onTotal: isOwn ? undefined : onTotal };
  return html`<section aria-label=${texts.home.changes}>
    <div class="home-head">
      <h2>${texts.home.changes}</h2>
      ${choice(texts.home.ofAll, false)} ${choice(texts.home.ofYou, true)}
      <a href=${hrefOf(activityRoute, undefined, query)}>${texts.home.allChanges}</a>
    </div>
    <${ChangeList} key=${String(isOwn)} ...${list} />
  </section>`;
}
