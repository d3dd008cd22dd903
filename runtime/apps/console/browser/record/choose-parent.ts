import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Api, messageOf, problemOf, type RecordData } from '../api.ts';
import { valueOf } from '../events.ts';
import type { Resource } from '../model.ts';
import { hrefOf, navigate } from '../route.ts';
import { titleOf } from '../text.ts';
import { texts } from '../texts.ts';

/** Milliseconds without a key after which parents are searched. */
const searchDelay = 200;

/** Parents with the number of their line items, or why they cannot be shown. */
type Found = { readonly parents: readonly RecordData[] } | { readonly problem: string };

const placeOf = ({ route }: Resource, id: string): string =>
  hrefOf(route, undefined, new URLSearchParams({ parent_id: id }));

/** Counts the line items of each parent whose id begins with a text; undefined until they have come, or if they are not counted. */
function useParents(api: Api, resource: Resource, prefix: string): Found | undefined {
  const [found, setFound] = useState<Found>();
  const field = resource.parent?.field ?? '';
  const isCounted = resource.counts?.by.includes(field) === true;
  useEffect(() => {
    if (!isCounted) return undefined;
    const controller = new AbortController();
    const parameters = new URLSearchParams({ by: field, ...(prefix !== '' && { 'parent_id[prefix]': prefix }) });
    const load = async (): Promise<void> => {
      try {
        const { data } = await api.get<{ readonly data: readonly RecordData[] }>(
          `${resource.path}/count?${parameters}`,
          controller.signal,
        );
        setFound({ parents: data });
      } catch (error) {
        if (controller.signal.aborted) return;
        const hasTooMany = String(problemOf(error)?.code) === 'too_many_groups';
        setFound({ problem: hasTooMany ? texts.parents.tooMany : messageOf(error) });
      }
    };
    const timer = setTimeout(() => void load(), found ? searchDelay : 0);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [api, field, isCounted, prefix]);
  return found;
}

interface ChooseParentProps {
  readonly api: Api;
  readonly resource: Resource;
}

function Parents({ api, resource, prefix }: ChooseParentProps & { prefix: string }): VNode | false {
  const found = useParents(api, resource, prefix);
  const field = resource.parent?.field ?? '';
  if (!found) return false;
  if ('problem' in found) return html`<p class="muted" role="status">${found.problem}</p>` as VNode;
  const entry = (group: RecordData): VNode => {
    const id = String(group[field]);
    return html`<li key=${id}>
      <a href=${placeOf(resource, id)}><bdi>${id}</bdi></a>
      <span class="muted">${texts.counts.items(Number(group['count']))}</span>
    </li>`;
  };
  const parents = found.parents.filter((group) => group[field] !== null);
  return html`<p class="muted" role="status">${texts.parents.found(parents.length)}</p>
    <ul class="parents">
      ${parents.map(entry)}
    </ul>` as VNode;
}

/**
 * Chooses the parent of line items that is kept outside of this service: from those that have line items, by the first letters of the
 * id, or by the id of any other.
 *
 * @param parentId the chosen one; empty if none is chosen yet
 */
export function ChooseParent({ api, resource, parentId }: ChooseParentProps & { parentId: string }): VNode {
  const { plural, doc, parent } = resource;
  const [typed, setTyped] = useState(parentId);
  useEffect(() => setTyped(parentId), [parentId]);
  const show = (event: Event): void => {
    event.preventDefault();
    void navigate(placeOf(resource, typed.trim()));
  };
  return html`<form class="choose-parent" onSubmit=${show}>
    ${
      parentId === '' &&
      html`<h1 tabindex="-1">${plural}</h1>
        <p class="muted">${doc} ${texts.parents.elsewhere}</p>`
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
      <button class="button" disabled=${typed.trim() === ''}>${texts.record.show}</button>
    </div>
    ${parentId === '' && html`<${Parents} ...${{ api, resource, prefix: typed.trim() }} />`}
  </form>` as VNode;
}
