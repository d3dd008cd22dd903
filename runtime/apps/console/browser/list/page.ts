import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { allows, type Api, type Key, messageOf, statusOf } from '../api.ts';
import { showHelp } from '../keyboard-help.ts';
import type { Resource } from '../model.ts';
import { hrefOf, navigate, placeHere, useKeptPlace } from '../route.ts';
import { texts } from '../texts.ts';
import { useBeside } from './beside.ts';
import { columnsOf } from './columns.ts';
import { Counts, useSums } from './counts.ts';
import { rowAt, useListKeys } from './keyboard.ts';
import { useLayout } from './layout.ts';
import { useList } from './load.ts';
import { Options } from './options.ts';
import { Pager } from './pager.ts';
import { PrintNote, usePrinting } from './printing.ts';
import { changed, type ListQuery, readQuery, selectionOf, sortedBy, toParameters, viewParameters } from './query.ts';
import { SelectionBar } from './selection-bar.ts';
import { SelectionContext, useSelection } from './selection.ts';
import { suggestionsFrom } from './suggestions.ts';
import { Cards, Table } from './table.ts';
import { Toolbar } from './toolbar.ts';
import { Transfer } from './transfer.ts';
import { ViewTabs } from './view-tabs.ts';

/** Below this width, in CSS pixels, pages are laid out for phones; the style sheet has the same. */
const narrow = matchMedia('screen and (max-width: 760px)');

function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(narrow.matches);
  useEffect(() => {
    const listener = (): void => setNarrow(narrow.matches);
    narrow.addEventListener('change', listener);
    return () => narrow.removeEventListener('change', listener);
  }, []);
  return isNarrow;
}

interface ListPageProps {
  readonly resource: Resource;
  readonly api: Api;
  readonly apiKey: Key;
  /** Which records, in which order, from where: the parameters of the API. */
  readonly parameters: URLSearchParams;
}

interface NothingProps {
  readonly query: ListQuery;
  readonly show: (query: ListQuery) => void;
  readonly create: string | undefined;
}

/** Why a page has no rows, and the way to some. */
function Nothing({ query, show, create }: NothingProps): VNode {
  const empty = (text: string, action: unknown): VNode =>
    html`<div class="empty">
      <p>${text}</p>
      ${action}
    </div>`;
  const button = (label: string, next: ListQuery): VNode =>
    html`<button class="button" onClick=${() => show(next)}>${label}</button>`;
  if (query.page > 1) {
    const action = button(texts.list.toFirstPage, changed(query, {}));
    return empty(texts.list.pageIsEmpty, action);
  }
  if (query.filters.length > 0 || query.search !== '')
    return empty(texts.list.noMatch, button(texts.list.showAll, readQuery()));
  return empty(
    texts.list.noneYet,
    create !== undefined && html`<a class="button primary" href=${hrefOf(create, 'new')}>${texts.list.createFirst}</a>`,
  );
}

/** Why there is no page, and what can be done. */
function Failure({ error, retry, clear }: { error: unknown; retry: () => void; clear: () => void }): VNode {
  // A request that was refused would be refused again.
  const isFinal = (statusOf(error) ?? 500) < 429;
  return html`<div class="banner error" role="alert">
    <span>${messageOf(error)}</span>
    <button class="button" onClick=${isFinal ? clear : retry}>
      ${isFinal ? texts.list.showAll : texts.dialog.tryAgain}
    </button>
  </div>`;
}

/** The list of a resource. */
export function ListPage({ resource, api, apiKey, parameters }: ListPageProps): VNode {
  const query = readQuery(parameters);
  const { route } = resource;
  const [turn, setTurn] = useState(0);
  const [layout, setLayout] = useLayout(route);
  const columns = columnsOf(resource, query.columns ?? layout.names);
  const { value: loaded, isLoading, error } = useList(api, { resource, query, columns, turn });
  const counting = { resource, query, turn, isReady: loaded !== undefined };
  const sums = useSums(api, { ...counting, columns });
  const box = useRef<HTMLDivElement>(null);
  const [printed, print] = usePrinting(api, { resource, query, columns, box });
  const isNarrow = useNarrow() && !printed;
  const create = resource.can.create && allows(apiKey, route, 'write') ? route : undefined;
  const show = (next: ListQuery, replace = false): void =>
    void navigate(hrefOf(route, undefined, toParameters(next)), { replace });
  const reload = (): void => setTurn((last) => last + 1);
  const { data: rows = [], total = 0, has_more: hasMore = false } = loaded?.page ?? {};
  // A page is found by the record before it, and by its number if that is not known.
  const goTo = (page: number): void =>
    show({ ...query, page, after: page > query.page ? String(rows.at(-1)?.['id']) : undefined });
  const turnPage = (by: -1 | 1): void => {
    if (by === 1 ? hasMore : query.page > 1) goTo(query.page + by);
  };
  const selection = useSelection(selectionOf(resource, { ...query, sort: [] }).toString(), rows, total);
  useListKeys({ box, count: rows.length, create, turn: turnPage, selection });
  const loadedQuery = loaded?.query;
  /** The row that was opened last. */
  const opened = useRef<number>(undefined);
  useKeptPlace(() => {
    const focused = document.activeElement?.closest<HTMLElement>('[data-index]');
    const index = focused && box.current?.contains(focused) ? Number(focused.dataset['index']) : opened.current;
    const id = rows[index ?? -1]?.['id'];
    return { scroll: box.current?.scrollTop ?? 0, ...(id !== undefined && { id: String(id), index }) };
  });
  useEffect(() => {
    if (!loadedQuery) return;
    const { scroll = 0, id, index = -1 } = placeHere() ?? {};
    opened.current = undefined;
    const found = rows.findIndex((record) => record['id'] === id);
    box.current?.scrollTo(0, scroll);
    // A record that is gone leaves its place to the next one.
    const row = rowAt(box.current, found < 0 ? Math.min(index, rows.length - 1) : found);
    row?.focus({ preventScroll: true });
    row?.closest('tr, li')?.scrollIntoView({ block: 'nearest' });
  }, [loadedQuery && toParameters(loadedQuery).toString()]);
  const open = (event: MouseEvent): void => {
    if (!(event.target instanceof Element)) return;
    const row = event.target.closest<HTMLElement>('[data-index]');
    if (!row) return;
    opened.current = Number(row.dataset['index']);
    // A link does it by itself, and text may be selected.
    if (event.target.closest('a') || getSelection()?.isCollapsed === false) return;
    row.querySelector('a')?.click();
  };
  const onSort = (field: string, add: boolean): void =>
    show(changed(query, { sort: sortedBy(query.sort, field, add) }));
  const list = {
    resource,
    // Rows have the fields that were shown when they were requested.
    columns: loaded?.columns ?? columns,
    rows: printed?.data ?? rows,
    start: loadedQuery && !printed ? (loadedQuery.page - 1) * loadedQuery.limit + 1 : 1,
    total,
    isBusy: isLoading,
  };
  const beside = useBeside(
    box,
    JSON.stringify([list.columns.map(({ name }) => name), layout, isNarrow, rows.length > 0]),
  );
  const last = list.start + list.rows.length - 1;
  const range = list.rows.length === 0 ? texts.list.noRecords : texts.list.range(list.start, last, total);
  const isEmpty = loaded && rows.length === 0 && !isLoading && error === undefined;
  return html`<div class="list">
    <div class="list-head">
      <h1 tabindex="-1">${resource.plural}</h1>
      <button class="icon-button" aria-label=${texts.record.print} title=${texts.record.print} onClick=${print}>
        <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M4.5 6V2h7v4M4.5 11H2V6h12v5h-2.5M4.5 9h7v5h-7z" /></svg>
      </button>
      <${Transfer} ...${{ api, resource, query, total, canImport: create !== undefined, reload }} />
      <button
        class="icon-button"
        aria-label=${texts.list.keyboard}
        title=${`${texts.list.keyboard} (?)`}
        onClick=${() => void showHelp()}
      >
        ?
      </button>
      ${create !== undefined && html`<a class="button primary" href=${hrefOf(route, 'new')} aria-keyshortcuts="n">${texts.list.new}</a>`}
    </div>
    <${ViewTabs} resource=${route} parameters=${viewParameters(query)} />
    <${PrintNote} range=${range} search=${query.search} />
    <${Toolbar}
      resource=${resource}
      query=${query}
      seen=${(field: string) => suggestionsFrom(rows, field)}
      show=${(change: Partial<ListQuery>) => show(changed(query, change))}
      setFilters=${(filters: ListQuery['filters']) => show(changed(query, { filters }))}
      setSort=${isNarrow ? (sort: ListQuery['sort']) => show(changed(query, { sort })) : undefined}
      search=${(search: string) => search !== query.search && show(changed(query, { search }), true)}
    >
      <${Options} ...${{ resource, query, columns, layout, setLayout, show, box, beside }} />
    <//>
    <${Counts}
      ...${{ api, ...counting }}
      setFilters=${(filters: ListQuery['filters']) => show(changed(query, { filters }))}
    />
    ${error !== undefined && html`<${Failure} error=${error} retry=${reload} clear=${() => show(readQuery())} />`}
    <div class=${beside.after > 0 ? 'frame more' : 'frame'}>
      <div class=${isLoading ? 'rows busy' : 'rows'} data-scrolled=${beside.isScrolled} ref=${box} onClick=${open}>
        ${isEmpty && html`<${Nothing} query=${query} show=${show} create=${create} />`}
        <${SelectionContext.Provider} value=${selection}>
          ${rows.length > 0 && (isNarrow ? html`<${Cards} ...${list} />` : html`<${Table} ...${{ ...list, width: beside.width, layout, setLayout, sort: query.sort, onSort, sums }} />`)}
        <//>
      </div>
    </div>
    <${SelectionBar} ...${{ api, apiKey, resource, query, selection, total, reload }} />
    ${
      loadedQuery &&
      html`<${Pager}
        ...${{ query: loadedQuery, count: rows.length, total, hasMore, goTo }}
        setLimit=${(limit: number) => show(changed(query, { limit }))}
      />`
    }
  </div>`;
}
