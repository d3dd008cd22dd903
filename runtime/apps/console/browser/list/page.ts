import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { allows, type Api, type Key } from '../api.ts';
import type { Resource } from '../model.ts';
import { hrefOf, navigate } from '../route.ts';
import { useBeside } from './beside.ts';
import { columnsOf } from './columns.ts';
import { Counts } from './counts.ts';
import { ListHead } from './head.ts';
import { useListKeys } from './keyboard.ts';
import { useLayout } from './layout.ts';
import { useList } from './load.ts';
import { useNarrow } from './narrow.ts';
import { Failure, Nothing } from './nothing.ts';
import { Options } from './options.ts';
import { Pager } from './pager.ts';
import { useListPlace } from './place.ts';
import { PrintNote, usePrinting } from './printing.ts';
import { changed, type ListQuery, readQuery, selectionOf, sortedBy, toParameters, viewParameters } from './query.ts';
import { Rows } from './rows.ts';
import { SelectionBar } from './selection-bar.ts';
import { useSelection } from './selection.ts';
import { suggestionsFrom } from './suggestions.ts';
import { Sums } from './sums.ts';
import { Toolbar } from './toolbar.ts';
import { ViewTabs } from './view-tabs.ts';

interface ListPageProps {
  readonly resource: Resource;
  readonly api: Api;
  readonly apiKey: Key;
  /** Which records, in which order, from where: the parameters of the API. */
  readonly parameters: URLSearchParams;
}

/** The list of a resource. */
export function ListPage({ resource, api, apiKey, parameters }: ListPageProps): VNode {
  const { route } = resource;
  // A form that changes a filter stays open while rows come.
  const query = useMemo(() => readQuery(parameters), [String(parameters)]);
  const [turn, setTurn] = useState(0);
  const [layout, setLayout] = useLayout(route);
  const columns = columnsOf(resource, query.columns ?? layout.names);
  const { value: loaded, isLoading, error } = useList(api, { resource, query, columns, turn });
  const counting = { resource, query, turn, isReady: loaded !== undefined };
  const box = useRef<HTMLDivElement>(null);
  const printing = usePrinting(api, { resource, query, columns, box });
  const isNarrow = useNarrow() && !printing.page;
  const create = resource.can.create && allows(apiKey, route, 'write') ? route : undefined;
  const show = (next: ListQuery, replace = false): void =>
    void navigate(hrefOf(route, undefined, toParameters(next)), { replace });
  const change = (part: Partial<ListQuery>, replace = false): void => show(changed(query, part), replace);
  const reload = (): void => setTurn((last) => last + 1);
  const { data: rows = [], total = 0, has_more: hasMore = false } = loaded?.page ?? {};
  /** Whether the rows are those of the page that is asked for. */
  const isCurrent = !isLoading && loaded?.query.page === query.page;
  // A page is found by the record before it, and by its number if that is not known.
  const goTo = (page: number): void =>
    show({ ...query, page, after: page > query.page && isCurrent ? String(rows.at(-1)?.['id']) : undefined });
  const hasNext = isCurrent ? hasMore : query.page * query.limit < total;
  const selection = useSelection(selectionOf(resource, { ...query, sort: [] }).toString(), rows, total);
  const turnPage = (by: -1 | 1): void => {
    if (by === 1 ? hasNext : query.page > 1) goTo(query.page + by);
  };
  useListKeys({ box, count: rows.length, create, turn: turnPage, selection });
  const open = useListPlace(box, rows, loaded && String(toParameters(loaded.query)));
  const { page: pageShown = 1, limit = 0 } = printing.page ? {} : (loaded?.query ?? {});
  const list = {
    resource,
    // Rows have the fields that were shown when they were requested.
    columns: (!printing.page && loaded?.columns) || columns,
    rows: printing.page?.data ?? rows,
    start: (pageShown - 1) * limit + 1,
    total: printing.page?.total ?? total,
    isBusy: isLoading || printing.isLoading,
    layout,
    setLayout,
    sort: query.sort,
    onSort: (field: string, add: boolean) => change({ sort: sortedBy(query.sort, field, add) }),
  };
  const beside = useBeside(box, JSON.stringify([list.columns.map(({ name }) => name), layout, isNarrow]));
  const isEmpty = loaded && rows.length === 0 && !isLoading && error === undefined;
  const setFilters = (filters: ListQuery['filters']): void => change({ filters });
  return html`<div class="list">
    <${ListHead} ...${{ api, resource, query, total, create, reload, print: printing.print }} />
    <${ViewTabs} resource=${route} parameters=${viewParameters(query)} />
    <${PrintNote} ...${list} search=${query.search} />
    <${Toolbar} ...${{ resource, query, change, isNarrow }} seen=${(field: string) => suggestionsFrom(rows, field)}>
      <${Options} ...${{ resource, query, columns, layout, setLayout, show, box, beside }} />
    <//>
    <${Counts} ...${{ api, ...counting, setFilters }} />
    ${error !== undefined && html`<${Failure} error=${error} retry=${reload} clear=${() => show(readQuery())} />`}
    <${Rows} ...${{ list, isBusy: list.isBusy, isNarrow, selection, box, beside, open }}>
      ${isEmpty && html`<${Nothing} query=${query} show=${show} create=${create} />`}
    <//>
    <${SelectionBar} ...${{ api, apiKey, resource, query, selection, total, reload }} />
    ${!isEmpty && html`<${Sums} ...${{ api, ...counting, rows: list.rows }} />`}
    <${Pager} ...${{ query, loaded, total, hasNext, goTo, change }} />
  </div>`;
}
