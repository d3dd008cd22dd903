import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { allows, type Key } from './access.ts';
import { type Api, messageOf } from './api.ts';
import { Loading } from './loading.ts';
import type { Model, Resource } from './model.ts';
import { type Draft, draftOf, newDraft } from './record/draft.ts';
import { Editor } from './record/editor.ts';
import { isNotFound } from './record/failure.ts';
import { loadItems, noItems } from './record/load.ts';
import type { navigate } from './route.ts';

export interface RecordPageProps {
  readonly model: Model;
  readonly resource: Resource;
  /** Undefined for a new record, and for a singleton. */
  readonly id: string | undefined;
  readonly api: Api;
  /** Its scopes say what the user may do: see `allows`. */
  readonly apiKey: Key;
  readonly navigate: typeof navigate;
}

/** Reads a record and the first of its line items. */
async function load(api: Api, key: Key, shown: Resource, id: string | undefined, signal: AbortSignal): Promise<Draft> {
  const resource = { ...shown, items: shown.items.filter(({ route }) => allows(key, route, 'read')) };
  if (shown.kind !== 'singleton' && id === undefined) return newDraft(resource, noItems(resource));
  if (id !== undefined) {
    const itemsOf = resource.items.map((one) => loadItems(api, one, id, signal));
    const [record, ...items] = await Promise.all([
      api.get(`${resource.path}/${encodeURIComponent(id)}`, undefined, signal),
      ...itemsOf,
    ]);
    return draftOf(resource, record, items);
  }
  const record = await api.get(resource.path, undefined, signal);
  const items = resource.items.map((one) => loadItems(api, one, String(record['id']), signal));
  return draftOf(resource, record, await Promise.all(items));
}

/** The page of a record, a new record, or settings. */
export function RecordPage({ resource, id, api, apiKey }: RecordPageProps): VNode {
  const [draft, setDraft] = useState<Draft>();
  const [failure, setFailure] = useState<unknown>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    load(api, apiKey, resource, id, controller.signal).then(setDraft, (error: unknown) => {
      if (!controller.signal.aborted) setFailure(error);
    });
    return () => controller.abort();
  }, [attempt]);
  if (draft) return html`<${Editor} api=${api} apiKey=${apiKey} start=${draft} />`;
  const isMissing = isNotFound(failure);
  const again = (): void => {
    setFailure(undefined);
    setAttempt(attempt + 1);
  };
  if (failure === undefined) return html`<${Loading} title=${resource.title} />`;
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
