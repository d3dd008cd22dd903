import { html } from 'htm/preact';
import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { valueOf } from '../events.ts';
import type { Resource } from '../model.ts';
import { useTarget } from '../reference.ts';
import { texts } from '../texts.ts';
import type * as editors from './filter-editor.ts';
import { LazyPopover } from './lazy-popover.ts';
import { describe, filteredField } from './operators.ts';
import { type Filter, type ListQuery, type Sort, withFilter } from './query.ts';

interface OrderProps {
  readonly resource: Resource;
  readonly sort: readonly Sort[];
  readonly setSort: (sort: readonly Sort[]) => void;
}

const sortParameter = ({ field, descending }: Sort): string => (descending ? `-${field}` : field);

/** Chooses the order where there is no table whose headers do. */
export function Order({ resource, sort, setSort }: OrderProps): VNode {
  const choices = resource.sort.flatMap((field) => [
    { field, descending: false },
    { field, descending: true },
  ]);
  const choose = (event: Event): void => {
    setSort(choices.filter((choice) => sortParameter(choice) === valueOf(event)));
  };
  return html`<select
    class="order-choice"
    aria-label=${texts.filters.order}
    value=${sort[0] ? sortParameter(sort[0]) : ''}
    onChange=${choose}
  >
    <option value="">${texts.filters.newestFirst}</option>
    ${choices.map(
      (choice) =>
        html`<option key=${sortParameter(choice)} value=${sortParameter(choice)}>
          ${filteredField(resource, choice.field).title} ${choice.descending ? '↓' : '↑'}
        </option>`,
    )}
  </select>`;
}

/** Milliseconds between two keystrokes of a word. */
const pause = 200;

interface ToolbarProps {
  readonly resource: Resource;
  readonly query: ListQuery;
  /** Values of a field that have been seen: suggestions. */
  readonly seen: (field: string) => readonly string[];
  /** Shows other records. @param replace in the place of these in the history */
  readonly change: (part: Partial<ListQuery>, replace?: boolean) => void;
  /** There is no table whose headers choose the order. */
  readonly isNarrow: boolean;
  readonly children: ComponentChildren;
}

function SearchBox({ words, search }: { words: string; search: (words: string) => void }): VNode {
  const [text, setText] = useState(words);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Filters may change before the words are searched for. */
  const latest = useRef(search);
  latest.current = search;
  /** The words of the last search: the user may have typed more since. */
  const sent = useRef(words);
  useEffect(() => {
    if (words === sent.current) return;
    // Another place has been gone to, not typed to.
    sent.current = words;
    setText(words);
  }, [words]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const onInput = (event: InputEvent): void => {
    const typed = valueOf(event);
    setText(typed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      sent.current = typed.trim();
      latest.current(sent.current);
    }, pause);
  };
  return html`<input
    type="search"
    class="search"
    aria-label=${texts.filters.search}
    placeholder=${texts.filters.search}
    aria-keyshortcuts="/"
    maxlength="200"
    value=${text}
    onInput=${onInput}
  />`;
}

interface ChipProps {
  readonly resource: Resource;
  readonly filter: Filter;
  /** The form that changes it, while it is edited. */
  readonly editor: VNode | false;
  readonly edit: () => void;
  readonly remove: () => void;
}

/** A filter in words, which can be changed and removed. */
function Chip({ resource, filter, editor, edit, remove }: ChipProps): VNode {
  const [title, condition, described] = describe(resource, filter);
  const { references } = filteredField(resource, filter.field);
  const value = useTarget(references, filter.operator === 'eq' ? filter.value : '')?.label ?? described;
  return html`<li class="chip">
    <button aria-haspopup="dialog" aria-expanded=${editor !== false} onClick=${edit}>
      ${title} <span class="muted">${condition}</span> <bdi>${value}</bdi>
    </button>
    <button
      class="remove"
      aria-label=${texts.filters.remove(`${title} ${condition} ${value}`.trim())}
      onClick=${remove}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true"><path d="m5 5 6 6m0-6-6 6" /></svg>
    </button>
    ${editor}
  </li>`;
}

/** The words of a search, and filters, which can be changed and removed. */
export function Toolbar({ resource, query, seen, change, isNarrow, children }: ToolbarProps): VNode {
  const { filters } = query;
  const search = (words: string): void => void (words !== query.search && change({ search: words }, true));
  const [edited, setEdited] = useState<Filter | 'new'>();
  const close = (): void => setEdited(undefined);
  const editor = (filter: Filter | undefined): VNode => {
    const apply = (changed: Filter): void => {
      close();
      change({ filters: withFilter(filters, changed, filter) });
    };
    const load = (): Promise<typeof editors> => import('./filter-editor.ts');
    const form = ({ FilterEditor }: typeof editors): VNode =>
      html`<${FilterEditor} ...${{ resource, filter, seen, apply }} />`;
    return html`<${LazyPopover} label=${texts.filters.filter} ...${{ close, load, show: form }} />`;
  };
  const chip = (filter: Filter): VNode =>
    html`<${Chip}
      key=${`${filter.field} ${filter.operator}`}
      ...${{ resource, filter }}
      editor=${edited === filter && editor(filter)}
      edit=${() => setEdited(filter)}
      remove=${() => change({ filters: filters.filter((other) => other !== filter) })}
    />`;
  const canFind = resource.search.length > 0 || resource.filters.size > 0;
  return html`<div class="toolbar">
    <div class="found" role=${canFind ? 'search' : undefined}>
      ${resource.search.length > 0 && html`<${SearchBox} words=${query.search} search=${search} />`}
      <ul class="chips" aria-label=${texts.filters.filters}>
        ${filters.map(chip)}
        ${
          resource.filters.size > 0 &&
          html`<li class="chip-place">
            <button
              class="button quiet add-filter"
              aria-haspopup="dialog"
              aria-expanded=${edited === 'new'}
              onClick=${() => setEdited('new')}
            >
              <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2 4h12M4.5 8h7M7 12h2" /></svg>
              ${texts.filters.filter}
            </button>
            ${edited === 'new' && editor(undefined)}
          </li>`
        }
      </ul>
      ${
        resource.archive &&
        html`<label class="switch">
          <input
            type="checkbox"
            role="switch"
            checked=${query.withArchived}
            onChange=${() => change({ withArchived: !query.withArchived })}
          />
          ${texts.filters.archived}
        </label>`
      }
      ${isNarrow && html`<${Order} resource=${resource} sort=${query.sort} setSort=${(sort: readonly Sort[]) => change({ sort })} />`}
      ${
        filters.length > 1 &&
        html`<button class="button quiet" onClick=${() => change({ filters: [] })}>${texts.filters.clear}</button>`
      }
    </div>
    ${children}
  </div>`;
}
