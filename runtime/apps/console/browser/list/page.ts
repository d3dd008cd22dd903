import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { allows, type Key } from '../access.ts';
import { type Api, messageOf, Refusal, type Value } from '../api.ts';
import { useNarrow } from '../narrow.ts';
import { hrefOf, navigate } from '../route.ts';
import { Cards } from './cards.ts';
import { showHelp } from './help.ts';
import { useListKeys } from './keyboard.ts';
import { type Loaded, pageAt, useList } from './load.ts';
import type { Resource } from '../model.ts';
import { Pager } from './pager.ts';
import { heights } from './rows.ts';
import { changed, type ListQuery, readQuery, sortedBy, toParameters } from './query.ts';
import { Table } from './table.ts';
import { Transfer } from './transfer.ts';
import { Toolbar } from './toolbar.ts';

export interface ListPageProps {
  readonly resource: Resource;
  readonly api: Api;
  readonly apiKey: Key;
  /** Which records, in which order, from where: the parameters of the API. */
  readonly parameters: URLSearchParams;
}

/** The record that was opened last in each list: coming back leads to its row. */
const opened = new Map<string, string>();

/** Up to so many values of a field are suggested. */
const maxSuggestions = 50;

const suggestions = (loaded: Loaded | undefined, field: string): readonly string[] => {
  const values = (loaded?.page.data ?? []).map((record) => record[field]);
  const isText = (value: Value | undefined): value is string =>
    typeof value === 'string' && value !== '' && value.length <= 100;
  return [...new Set(values.filter(isText))].toSorted().slice(0, maxSuggestions);
};

function Nothing({ query, clear, create }: { query: ListQuery; clear: () => void; create: string | undefined }): VNode {
  const isFiltered = query.filters.length > 0 || query.search !== '';
  if (query.page > 1) {
    return html`<div class="empty">
      <p>There are no records on this page any more.</p>
      <button class="button" onClick=${clear}>Go to the first page</button>
    </div>`;
  }
  if (isFiltered) {
    return html`<div class="empty">
      <p>No record matches.</p>
      <button class="button" onClick=${clear}>Show all records</button>
    </div>`;
  }
  return html`<div class="empty">
    <p>There are no records yet.</p>
    ${create !== undefined && html`<a class="button primary" href=${hrefOf(create, 'new')}>Create the first one</a>`}
  </div>`;
}

/** Why there is no page, and what can be done. */
function Failure({ error, retry, clear }: { error: unknown; retry: () => void; clear: () => void }): VNode {
  // The same request would be refused again.
  const isFinal = error instanceof Refusal && error.problem.status < 429;
  return html`<div class="banner error" role="alert">
    <span>${messageOf(error)}</span>
    <button class="button" onClick=${isFinal ? clear : retry}>${isFinal ? 'Show all records' : 'Try again'}</button>
  </div>`;
}

/** The list of a resource. */
export function ListPage({ resource, api, apiKey, parameters }: ListPageProps): VNode {
  const query = readQuery(parameters);
  const [turn, setTurn] = useState(0);
  const { loaded, isLoading, error } = useList(api, resource, query, turn);
  const box = useRef<HTMLDivElement>(null);
  const isNarrow = useNarrow();
  const { route } = resource;
  const create = resource.can.create && allows(apiKey, route, 'write') ? route : undefined;
  const show = (next: ListQuery, replace = false): void =>
    void navigate(hrefOf(route, undefined, toParameters(next)), { replace });
  const goTo = (page: number): void => show(pageAt(resource, query, page));
  const rows = loaded?.page.data ?? [];
  const hasMore = loaded?.page.has_more ?? false;
  const turnPage = useCallback(
    (by: -1 | 1) => {
      if (by === 1 ? hasMore : query.page > 1) goTo(query.page + by);
    },
    [parameters.toString(), hasMore],
  );
  const rowHeight = isNarrow ? heights.card : heights.row;
  useListKeys({ box, count: rows.length, rowHeight, create, turn: turnPage, help: showHelp });
  const shown = loaded?.query;
  const shownParameters = shown && toParameters(shown).toString();
  useEffect(() => {
    const index = rows.findIndex((record) => record['id'] === opened.get(route));
    opened.delete(route);
    box.current?.scrollTo(0, index < 0 ? 0 : Math.max(0, (index - 5) * rowHeight));
    if (index < 0) return;
    requestAnimationFrame(() =>
      box.current?.querySelector<HTMLElement>(`a[data-index="${index}"], [data-index="${index}"] a`)?.focus(),
    );
  }, [shownParameters]);
  const open = (event: MouseEvent): void => {
    if (!(event.target instanceof Element)) return;
    const row = event.target.closest<HTMLElement>('[data-index]');
    const record = row && rows[Number(row.dataset['index'])];
    if (!record) return;
    opened.set(route, String(record['id']));
    // A link does it by itself, and text may be selected.
    if (event.target.closest('a') || getSelection()?.isCollapsed === false) return;
    row.querySelector('a')?.click();
  };
  const clear = (): void =>
    show(
      query.page > 1 && rows.length === 0 && error === undefined
        ? changed(query, {})
        : readQuery(new URLSearchParams()),
    );
  const start = shown ? (shown.page - 1) * shown.limit + 1 : 1;
  const list = { resource, rows, start, total: loaded?.page.total ?? 0, box, isBusy: isLoading };
  return html`<div class="list">
    <div class="list-head">
      <h1 tabindex="-1">${resource.title}</h1>
      <span class="grow"></span>
      <${Transfer}
        ...${{ api, resource, query, total: list.total, canImport: create !== undefined, reload: () => setTurn(turn + 1) }}
      />
      <button class="icon-button" aria-label="Keyboard" title="Keyboard (?)" onClick=${showHelp}>?</button>
      ${create !== undefined && html`<a class="button primary" href=${hrefOf(route, 'new')} aria-keyshortcuts="n">New</a>`}
    </div>
    <${Toolbar}
      resource=${resource}
      query=${query}
      seen=${(field: string) => suggestions(loaded, field)}
      setFilters=${(filters: ListQuery['filters']) => show(changed(query, { filters }))}
      setSort=${isNarrow ? (sort: ListQuery['sort']) => show(changed(query, { sort })) : undefined}
      search=${(search: string) => search !== query.search && show(changed(query, { search }), true)}
    />
    ${error !== undefined && html`<${Failure} error=${error} retry=${() => setTurn(turn + 1)} clear=${clear} />`}
    <div class=${isLoading ? 'rows busy' : 'rows'} ref=${box} onClick=${open}>
      ${loaded && rows.length === 0 && !isLoading && error === undefined && html`<${Nothing} query=${query} clear=${clear} create=${create} />`}
      ${
        loaded &&
        rows.length > 0 &&
        (isNarrow
          ? html`<${Cards} ...${list} />`
          : html`<${Table}
              ...${list}
              sort=${query.sort}
              onSort=${(field: string, add: boolean) => show(changed(query, { sort: sortedBy(query.sort, field, add) }))}
            />`)
      }
    </div>
    ${
      loaded &&
      html`<${Pager}
        query=${loaded.query}
        count=${rows.length}
        total=${loaded.page.total}
        hasMore=${loaded.page.has_more}
        goTo=${goTo}
        setLimit=${(limit: number) => show(changed(query, { limit }))}
      />`
    }
  </div>`;
}
