import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Reader, RecordData } from '../api.ts';
import { actorName, type EventFilters, operationText, readEvents, type RecordEvent } from '../history/events.ts';
import { fieldOf, type Resource } from '../model.ts';
import { recordName } from '../name.ts';
import { RecordLink, type References, ReferencesContext, type Session } from '../reference.ts';
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

/** So many pages of events are read to find them. */
const maxPages = 3;

/** The newest event of a record, with the number of those behind it that were read. */
interface Change {
  readonly event: RecordEvent;
  readonly others: number;
}

/** The parent of a line item, if its event tells it. */
function parentOf(
  { resource, changes }: RecordEvent,
  references: References,
): { route: string; id: string } | undefined {
  const { parent } = references.resourceOf(resource) ?? {};
  const owner = parent && references.resourceAt(parent.path);
  const [before, after] = changes[parent?.field ?? ''] ?? [];
  const id = after ?? before;
  return owner && typeof id === 'string' ? { route: owner.route, id } : undefined;
}

/** Reads the newest change of each record; line items are changes of their parent. */
async function readChanges(
  api: Reader,
  filters: EventFilters,
  references: References,
  signal: AbortSignal,
): Promise<readonly Change[]> {
  const changes = new Map<string, Change>();
  let after: number | undefined;
  for (let page = 0; page < maxPages && changes.size < maxShown; page++) {
    const { data, has_more: hasMore } = await readEvents(api, filters, after, signal);
    for (const event of data) {
      const { route, id } = parentOf(event, references) ?? { route: event.resource, id: event.record };
      const { event: newest = event, others = -1 } = changes.get(`${route} ${id}`) ?? {};
      changes.set(`${route} ${id}`, { event: newest, others: others + 1 });
    }
    after = data.at(-1)?.number;
    if (!hasMore) break;
  }
  return [...changes.values()].slice(0, maxShown);
}

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
    const parent = parentOf(event, references);
    return parent ? html`<${RecordLink} ...${parent} />` : html`<span>${resource.title}</span>`;
  }
  if (operation !== 'delete' || !resource) return html`<${RecordLink} route=${event.resource} id=${record} />`;
  const values = Object.entries(changes).map(([name, [before]]) => [name, before] as const);
  const name = recordName(resource, Object.fromEntries(values) as RecordData) ?? record;
  return html`<bdi>${name}</bdi>`;
}

interface ListProps {
  readonly session: Session;
  readonly api: Reader;
  /** Only those of this actor. */
  readonly actor: string | undefined;
  /** Is told how many changes there are, at least. */
  readonly onTotal: ((total: number) => void) | undefined;
}

/** The newest change of each record that was changed last. */
function ChangeList({ session, api, actor, onTotal }: ListProps): VNode {
  const { key } = session;
  const references = useContext(ReferencesContext);
  const filters = actor === undefined ? {} : { actor };
  const { value: changes, failure } = usePart((signal) => readChanges(api, filters, references, signal));
  useEffect(() => {
    if (changes) onTotal?.(changes.length);
  }, [changes]);
  const entry = ({ event, others }: Change): VNode => {
    const resource = references.resourceOf(event.resource);
    const time = textOf(event.time, { type: 'string', format: 'date-time' });
    const what = [
      resource?.title ?? event.resource,
      wordsOf(resource, event),
      ...(others > 0 ? [texts.home.moreChanges(others)] : []),
    ];
    return html`<li key=${event.number}>
      <span class="home-what">
        <${Changed} event=${event} />
        <span class="muted">${what.join(' · ')}</span>
      </span>
      <span class="muted">
        ${actor === undefined && html`<bdi>${actorName(event, key)}</bdi> · `}
        <time datetime=${event.time} title=${time}>${relativeTime(event.time)}</time>
      </span>
    </li>`;
  };
  return html`${failure}
    <ul class="home-shelf home-changes" aria-busy=${!changes && !failure}>
      ${changes?.map(entry)} ${changes?.length === 0 && html`<li class="muted">${texts.home.noChanges}</li>`}
    </ul>`;
}

interface ChangesProps extends Pick<ListProps, 'session' | 'api'> {
  readonly onTotal: (total: number) => void;
}

/** The latest changes: of all, or of the user's key alone. */
export function Changes({ session, api, onTotal }: ChangesProps): VNode {
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
  const list = { session, api, actor: isOwn ? actor : undefined, onTotal: isOwn ? undefined : onTotal };
  return html`<section aria-label=${texts.home.changes}>
    <div class="home-head">
      <h2>${texts.home.changes}</h2>
      ${choice(texts.home.ofAll, false)} ${choice(texts.home.ofYou, true)}
      <a href=${hrefOf(activityRoute, undefined, query)}>${texts.home.allChanges}</a>
    </div>
    <${ChangeList} key=${String(isOwn)} ...${list} />
  </section>`;
}
