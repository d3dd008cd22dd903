import { type Api, type Page, statusOf } from '../api.ts';
import { type Loading, useLoading } from '../loading.ts';
import type { Field, Resource } from '../model.ts';
import { type ListQuery, requestOf } from './query.ts';

/** A page, and the query and the columns that it answers. */
export interface Loaded {
  /** Its request. */
  readonly key: string;
  readonly query: ListQuery;
  readonly columns: readonly Field[];
  readonly page: Page;
}

interface Wanted {
  readonly resource: Resource;
  readonly query: ListQuery;
  /** The fields that are shown. */
  readonly columns: readonly Field[];
  /** Another one loads the page again. */
  readonly turn: number;
}

/** As many pages are kept. */
const maxPages = 10;

/** The last pages of each session: a list that is gone back to is there at once, and is loaded again. */
const lastPages = new WeakMap<Api, readonly Loaded[]>();

/** Loads the page of a list that a query names; until it has come, the value is the page as it was last, or the one before. */
export function useList(api: Api, { resource, query, columns, turn }: Wanted): Loading<Loaded> {
  const key = `${resource.path}?${requestOf(resource, query, columns)}`;
  const kept = lastPages.get(api)?.find((one) => one.key === key);
  const loading = useLoading(
    async (signal) => {
      const page = await api.get<Page>(key, signal).catch((error: unknown) => {
        // The record before the page may have been deleted since: then the page is found by its number.
        if (query.after === undefined || statusOf(error) !== 400) throw error;
        return api.get<Page>(
          `${resource.path}?${requestOf(resource, { ...query, after: undefined }, columns)}`,
          signal,
        );
      });
      const loaded = { key, query, columns, page };
      lastPages.set(api, [loaded, ...(lastPages.get(api) ?? []).filter((one) => one.key !== key)].slice(0, maxPages));
      return loaded;
    },
    [key, turn],
  );
  const { value } = loading;
  return { ...loading, value: value?.key === key ? value : (kept ?? value) };
}
