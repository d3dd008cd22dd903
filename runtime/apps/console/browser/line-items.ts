import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Key } from './access.ts';
import { type Api, messageOf } from './api.ts';
import type { Resource } from './model.ts';
import { type Draft, draftOf } from './record/draft.ts';
import { Editor } from './record/editor.ts';
import { loadItems } from './record/load.ts';
import { hrefOf, navigate } from './route.ts';
import { titleOf } from './text.ts';

export interface LineItemsPageProps {
  readonly resource: Resource;
  readonly api: Api;
  readonly apiKey: Key;
  /** The id of the parent, which is kept elsewhere; empty if none is chosen yet. */
  readonly parentId: string;
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

/** The line items of one parent, edited like those on the page of a record. */
function ItemsOfParent({ resource, api, apiKey, parentId }: LineItemsPageProps): VNode {
  const [draft, setDraft] = useState<Draft>();
  const [failure, setFailure] = useState<unknown>();
  useEffect(() => {
    const controller = new AbortController();
    loadItems(api, resource, parentId, controller.signal).then(
      (items) => setDraft(draftOf(parentOf(resource), { id: parentId }, [items])),
      (error: unknown) => {
        if (!controller.signal.aborted) setFailure(error);
      },
    );
    return () => controller.abort();
  }, []);
  if (draft) return html`<${Editor} api=${api} apiKey=${apiKey} start=${draft} />`;
  if (failure === undefined) return html`<p class="muted" aria-busy="true">Loading…</p>`;
  return html`<p class="notice" role="alert">${messageOf(failure)}</p>`;
}

/** The page of line items whose parent is kept outside of this service: it is chosen by its id. */
export function LineItemsPage(props: LineItemsPageProps): VNode {
  const { resource, parentId } = props;
  const { route, title, doc, parent } = resource;
  const [typed, setTyped] = useState(parentId);
  useEffect(() => setTyped(parentId), [parentId]);
  const show = (event: Event): void => {
    event.preventDefault();
    void navigate(hrefOf(route, undefined, new URLSearchParams({ parent_id: typed.trim() })));
  };
  const label = titleOf(parent?.field ?? 'parent');
  return html`<div class="line-items">
    <form class="choose-parent" onSubmit=${show}>
      ${
        parentId === '' &&
        html`<div>
          <h1 tabindex="-1">${title}</h1>
          <p class="muted">${doc} They belong to a record outside of this service: enter its id to see them.</p>
        </div>`
      }
      <label for="parent-id">${label}</label>
      <div class="choose-row">
        <input
          id="parent-id"
          autocomplete="off"
          spellcheck=${false}
          value=${typed}
          onInput=${({ currentTarget }: Event & { currentTarget: HTMLInputElement }) => setTyped(currentTarget.value)}
        />
        <button class="button" disabled=${typed.trim() === ''}>Show</button>
      </div>
    </form>
    ${parentId !== '' && html`<${ItemsOfParent} key=${parentId} ...${props} />`}
  </div>`;
}
