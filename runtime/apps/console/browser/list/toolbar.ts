import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Resource } from '../model.ts';
import { Popover } from '../popover.ts';
import { FilterEditor } from './filter-editor.ts';
import { describe } from './operators.ts';
import { Order } from './order.ts';
import { type Filter, type ListQuery, type Sort, withFilter } from './query.ts';

/** Milliseconds between two keystrokes of a word. */
const pause = 200;

interface ToolbarProps {
  readonly resource: Resource;
  readonly query: ListQuery;
  readonly seen: (field: string) => readonly string[];
  readonly setFilters: (filters: readonly Filter[]) => void;
  readonly search: (words: string) => void;
  /** Undefined if the headers of a table choose the order. */
  readonly setSort: ((sort: readonly Sort[]) => void) | undefined;
}

function SearchBox({ words, search }: { words: string; search: (words: string) => void }): VNode {
  const [text, setText] = useState(words);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
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
    const typed = (event.target as HTMLInputElement).value;
    setText(typed);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      sent.current = typed.trim();
      search(sent.current);
    }, pause);
  };
  return html`<input
    type="search"
    class="search"
    aria-label="Search"
    placeholder="Search"
    aria-keyshortcuts="/"
    maxlength="200"
    value=${text}
    onInput=${onInput}
  />`;
}

/** The words of a search, and filters, which can be changed and removed. */
export function Toolbar({ resource, query, seen, setFilters, search, setSort }: ToolbarProps): VNode {
  const { filters } = query;
  const [edited, setEdited] = useState<Filter | 'new'>();
  const close = (): void => setEdited(undefined);
  const editor = (filter: Filter | undefined): VNode => {
    const apply = (changed: Filter): void => {
      close();
      setFilters(withFilter(filters, changed, filter));
    };
    return html`<${Popover} label="Filter" close=${close}>
      <${FilterEditor} resource=${resource} filter=${filter} seen=${seen} apply=${apply} />
    <//>`;
  };
  const chip = (filter: Filter): VNode => {
    const [title, condition, value] = describe(resource, filter);
    const isEdited = edited === filter;
    return html`<li class="chip" key=${`${filter.field} ${filter.operator}`}>
      <button aria-haspopup="dialog" aria-expanded=${isEdited} onClick=${() => setEdited(filter)}>
        ${title} <span class="muted">${condition}</span> <bdi>${value}</bdi>
      </button>
      <button
        class="remove"
        aria-label=${`Remove the filter ${title} ${condition} ${value}`}
        onClick=${() => setFilters(filters.filter((other) => other !== filter))}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true"><path d="m5 5 6 6m0-6-6 6" /></svg>
      </button>
      ${isEdited && editor(filter)}
    </li>`;
  };
  if (resource.search.length === 0 && resource.filters.size === 0) return html``;
  return html`<div class="toolbar" role="search">
    ${resource.search.length > 0 && html`<${SearchBox} words=${query.search} search=${search} />`}
    <ul class="chips" aria-label="Filters">
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
            <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2 4h12M4.5 8h7M7 12h2" /></svg> Filter
          </button>
          ${edited === 'new' && editor(undefined)}
        </li>`
      }
    </ul>
    ${setSort && html`<${Order} resource=${resource} sort=${query.sort} setSort=${setSort} />`}
    ${filters.length > 1 && html`<button class="button quiet" onClick=${() => setFilters([])}>Clear</button>`}
  </div>`;
}
