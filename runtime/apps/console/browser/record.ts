import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { allows, type Api, type Key, messageOf } from './api.ts';
import { valueOf } from './events.ts';
import type { Resource } from './model.ts';
import { type Draft, draftOf, newDraft } from './record/draft.ts';
import { Editor } from './record/editor.ts';
import { isNotFound } from './record/failure.ts';
import { loadItems, noItems } from './record/load.ts';
import { hrefOf, navigate } from './route.ts';
import { titleOf } from './text.ts';

interface PageProps {
  readonly resource: Resource;
  readonly api: Api;
  /** Its scopes say what the user may do: see `allows`. */
  readonly apiKey: Key;
}

/** The heading of a page that is being loaded; if it has the focus, the heading that comes in its place gets it. */
function Loading({ title }: { title: string }): VNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(
    () => () => {
      if (document.activeElement !== heading.current) return;
      requestAnimationFrame(() => document.querySelector<HTMLElement>('#main h1')?.focus({ preventScroll: true }));
    },
    [],
  );
  return html`<h1 tabindex="-1" class="muted" aria-busy="true" ref=${heading}>${title}</h1>`;
}

interface LoadedProps extends PageProps {
  readonly load: (signal: AbortSignal) => Promise<Draft>;
}

/** The form of a record, once it is loaded. */
function Loaded({ resource, api, apiKey, load }: LoadedProps): VNode {
  const [draft, setDraft] = useState<Draft>();
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    load(controller.signal).then(setDraft, (error: unknown) => {
      if (!controller.signal.aborted) setFailure(error);
    });
    return () => controller.abort();
  }, [attempt]);
  if (draft) return html`<${Editor} api=${api} apiKey=${apiKey} start=${draft} />`;
  if (failure === undefined) return html`<${Loading} title=${resource.title} />`;
  const isMissing = isNotFound(failure);
  const again = (): void => {
    setFailure(undefined);
    setAttempt(attempt + 1);
  };
  return html`<div class="empty">
    <h1 tabindex="-1">${isMissing ? `This ${resource.title.toLowerCase()} is not there` : 'This cannot be shown'}</h1>
    <p>${isMissing ? 'It may have been deleted, or the link is wrong.' : messageOf(failure)}</p>
    ${
      isMissing
        ? html`<a class="button" href=${`#/${resource.route}`}>Go to the list</a>`
        : html`<button class="button" onClick=${again}>Try again</button>`
    }
  </div>`;
}

/** The page of a record, a new record, or settings. @param id undefined for a new record, and for settings */
export function RecordPage(props: PageProps & { id: string | undefined }): VNode {
  const { id, api, apiKey } = props;
  const items = props.resource.items.filter(({ route }) => allows(apiKey, route, 'read'));
  const resource = { ...props.resource, items };
  const load = async (signal: AbortSignal): Promise<Draft> => {
    if (resource.kind !== 'singleton' && id === undefined) return newDraft(resource, noItems(resource));
    const itemsOf = (parent: string) => Promise.all(items.map((one) => loadItems(api, one, parent, signal)));
    if (id === undefined) {
      const record = await api.get(resource.path, signal);
      return draftOf(resource, record, await itemsOf(String(record['id'])));
    }
    const record = api.get(`${resource.path}/${encodeURIComponent(id)}`, signal);
    return draftOf(resource, ...(await Promise.all([record, itemsOf(id)])));
  };
  return html`<${Loaded} ...${{ ...props, load }} />`;
}

/** A parent of which this service knows nothing but its id: it has no fields here, only line items. */
const parentOf = (resource: Resource): Resource => ({
  ...resource,
  kind: 'singleton',
  fields: [],
  columns: [],
  transitions: [],
  items: [resource],
});

/** The page of line items whose parent is kept outside of this service: it is chosen by its id, empty if none is chosen yet. */
export function LineItemsPage(props: PageProps & { parentId: string }): VNode {
  const { resource, api, parentId } = props;
  const { route, title, doc, parent } = resource;
  const [typed, setTyped] = useState(parentId);
  useEffect(() => setTyped(parentId), [parentId]);
  const show = (event: Event): void => {
    event.preventDefault();
    void navigate(hrefOf(route, undefined, new URLSearchParams({ parent_id: typed.trim() })));
  };
  const load = async (signal: AbortSignal): Promise<Draft> =>
    draftOf(parentOf(resource), { id: parentId }, [await loadItems(api, resource, parentId, signal)]);
  return html`<div class="line-items">
    <form class="choose-parent" onSubmit=${show}>
      ${
        parentId === '' &&
        html`<h1 tabindex="-1">${title}</h1>
          <p class="muted">${doc} They belong to a record outside of this service: enter its id to see them.</p>`
      }
      <label for="parent-id">${titleOf(parent?.field ?? 'parent')}</label>
      <div class="choose-row">
        <input
          id="parent-id"
          autocomplete="off"
          spellcheck=${false}
          value=${typed}
          onInput=${(event: Event) => setTyped(valueOf(event))}
        />
        <button class="button" disabled=${typed.trim() === ''}>Show</button>
      </div>
    </form>
    ${parentId !== '' && html`<${Loaded} key=${parentId} ...${{ ...props, load }} />`}
  </div>`;
}
