import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { allows, type Api, type Key } from './api.ts';
import { Loaded } from './loaded.ts';
import type { Resource } from './model.ts';
import { ChooseParent } from './record/choose-parent.ts';
import { type Draft, draftOf, newDraft } from './record/draft.ts';
import { duplicate } from './record/duplicate.ts';
import { Editor } from './record/editor.ts';
import { loadItems, noItems } from './record/load.ts';
import { withRules } from './record/rules.ts';

interface PageProps {
  readonly resource: Resource;
  readonly api: Api;
  /** Its scopes say what the user may do: see `allows`. */
  readonly apiKey: Key;
}

const showEditor =
  ({ api, apiKey }: PageProps) =>
  (draft: Draft): VNode =>
    html`<${Editor} api=${api} apiKey=${apiKey} start=${draft} />`;

/**
 * The page of a record, a new record, or settings.
 *
 * @param id undefined for a new record, and for settings
 * @param copyOf the id of the record that a new one begins as a copy of
 */
export function RecordPage(props: PageProps & { id: string | undefined; copyOf: string | undefined }): VNode {
  const { id, copyOf, api, apiKey } = props;
  const items = props.resource.items.filter(({ route }) => allows(apiKey, route, 'read'));
  const load = async (signal: AbortSignal): Promise<Draft> => {
    const resource = await withRules({ ...props.resource, items });
    if (resource.kind !== 'singleton' && id === undefined) {
      if (copyOf === undefined) return newDraft(resource, noItems(resource));
      return duplicate(api, resource, copyOf, ({ route }) => allows(apiKey, route, 'write'), signal);
    }
    const itemsOf = (parent: string) => Promise.all(resource.items.map((list) => loadItems(api, list, parent, signal)));
    if (id === undefined) {
      const record = await api.get(resource.path, signal);
      return draftOf(resource, record, await itemsOf(String(record['id'])));
    }
    const record = api.get(`${resource.path}/${encodeURIComponent(id)}`, signal);
    return draftOf(resource, ...(await Promise.all([record, itemsOf(id)])));
  };
  return html`<${Loaded} ...${{ resource: props.resource, load, show: showEditor(props) }} />`;
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

/** The page of line items whose parent is kept outside of this service. @param parentId empty if none is chosen yet */
export function LineItemsPage(props: PageProps & { parentId: string }): VNode {
  const { resource, api, parentId } = props;
  const load = async (signal: AbortSignal): Promise<Draft> =>
    draftOf(parentOf(resource), { id: parentId }, [await loadItems(api, await withRules(resource), parentId, signal)]);
  return html`<div class="line-items">
    <${ChooseParent} ...${{ api, resource, parentId }} />
    ${parentId !== '' && html`<${Loaded} key=${parentId} ...${{ resource, load, show: showEditor(props) }} />`}
  </div>`;
}
