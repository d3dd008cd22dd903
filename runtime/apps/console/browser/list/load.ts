import { useEffect, useState } from 'preact/hooks';
import { type Api, type Page, Refusal } from '../api.ts';
import type { Resource } from '../model.ts';
import { type ListQuery, requestOf, selectionOf } from './query.ts';

/** A page, and the query that it answers. */
export interface Loaded {
  readonly query: ListQuery;
  readonly page: Page;
}

interface Loading {
  /** The last page that has come: it stays until the next one does. */
  readonly loaded: Loaded | undefined;
  readonly isLoading: boolean;
  /** Why the last request has failed. */
  readonly error: unknown;
}

/** Pages that are remembered, so that going back shows them at once. */
const maxPages = 30;

const pages = new WeakMap<Api, Map<string, Loaded>>();

function remember(api: Api, key: string, loaded: Loaded): void {
  const known = pages.get(api) ?? new Map<string, Loaded>();
  pages.set(api, known);
  known.delete(key);
  known.set(key, loaded);
  if (known.size > maxPages) known.delete(known.keys().next().value as string);
}

/** The records that pages have been left after, by the number of the page: they lead back without an offset. */
const cursors = new Map<string, Map<number, string>>();

const cursorsOf = (resource: Resource, query: ListQuery): Map<number, string> => {
  const key = `${resource.route}?${selectionOf(query)}&limit=${query.limit}`;
  const known = cursors.get(key) ?? new Map<number, string>();
  cursors.set(key, known);
  return known;
};

/** The page with a number, beside one that has been loaded. */
export function pageAt(resource: Resource, query: ListQuery, page: number): ListQuery {
  return { ...query, page, after: page === 1 ? undefined : cursorsOf(resource, query).get(page) };
}

/**
 * Loads the page of a list that a query names.
 *
 * @param turn another one loads it again
 */
export function useList(api: Api, resource: Resource, query: ListQuery, turn: number): Loading {
  const key = `${resource.path}?${requestOf(resource, query)}`;
  const [state, setState] = useState<Loading>(() => ({
    loaded: pages.get(api)?.get(key),
    isLoading: true,
    error: undefined,
  }));
  useEffect(() => {
    const controller = new AbortController();
    const known = pages.get(api)?.get(key);
    setState(({ loaded }) => ({ loaded: known ?? loaded, isLoading: true, error: undefined }));
    const pageOf = (one: ListQuery): Promise<Page> =>
      api.get<Page>(resource.path, requestOf(resource, one), controller.signal);
    const found = pageOf(query).catch((error: unknown) => {
      // The record before the page may have been deleted since: then the page is found by its number.
      if (query.after === undefined || !(error instanceof Refusal) || error.problem.status !== 400) throw error;
      return pageOf({ ...query, after: undefined });
    });
    found.then(
      (page) => {
        const loaded = { query, page };
        remember(api, key, loaded);
        const last = page.data.at(-1)?.['id'];
        if (typeof last === 'string') cursorsOf(resource, query).set(query.page + 1, last);
        setState({ loaded, isLoading: false, error: undefined });
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setState(({ loaded }) => ({ loaded, isLoading: false, error }));
      },
    );
    return () => controller.abort();
  }, [api, key, turn]);
  return state;
}
