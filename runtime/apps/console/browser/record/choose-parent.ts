import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { type Api, messageOf } from '../api.ts';
import { valueOf } from '../events.ts';
import { countBy, type Group } from '../groups.ts';
import { type Loading, useLoading } from '../loading.ts';
import type { Resource } from '../model.ts';
import { hrefOf, navigate } from '../route.ts';
import { titleOf } from '../text.ts';
import { texts } from '../texts.ts';

/** Milliseconds without a key after which parents are searched. */
const searchDelay = 200;

const placeOf = ({ route }: Resource, id: string): string =>
  hrefOf(route, undefined, new URLSearchParams({ parent_id: id }));

/** Counts the line items of each parent whose id begins with a text. */
function useParents({
  api,
  resource,
  prefix,
}: ChooseParentProps & { prefix: string }): Loading<readonly Group[] | null> {
  const field = resource.parent?.field ?? '';
  const count = async (signal: AbortSignal): Promise<readonly Group[] | null> => {
    if (prefix !== '') await new Promise((resolve) => setTimeout(resolve, searchDelay));
    return countBy(
      api,
      resource,
      field,
      new URLSearchParams(prefix === '' ? {} : { 'parent_id[prefix]': prefix }),
      signal,
    );
  };
  return useLoading(resource.counts?.by.includes(field) ? count : undefined, [prefix]);
}

interface ChooseParentProps {
  readonly api: Api;
  readonly resource: Resource;
}

function Parents({ api, resource, prefix }: ChooseParentProps & { prefix: string }): VNode | false {
  const { value: groups, error } = useParents({ api, resource, prefix });
  const note = (text: string): VNode => html`<p class="muted" role="status">${text}</p>`;
  if (error !== undefined) return note(messageOf(error));
  if (groups === null) return note(texts.parents.tooMany);
  if (!groups) return false;
  const parents = groups.filter(({ value }) => value !== null);
  return html`${note(texts.parents.found(parents.length))}
    <ul class="parents">
      ${parents.map(
        ({ value, count }) =>
          html`<li key=${value}>
            <a href=${placeOf(resource, String(value))}><bdi>${value}</bdi></a>
            <span class="muted">${texts.counts.items(count)}</span>
          </li>`,
      )}
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
