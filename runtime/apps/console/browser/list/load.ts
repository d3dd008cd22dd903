import { type Api, type Page, statusOf } from '../api.ts';
import { type Loading, useLoading } from '../loading.ts';
import type { Field, Resource } from '../model.ts';
import { type ListQuery, requestOf } from './query.ts';

/** A page, and the query and the columns that it answers. */
export interface Loaded {
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

/** Loads the page of a list that a query names. */
export function useList(api: Api, { resource, query, columns, turn }: Wanted): Loading<Loaded> {
  const key = `${resource.path}?${requestOf(resource, query, columns)}`;
  return useLoading(
    async (signal) => {
      const page = await api.get<Page>(key, signal).catch((error: unknown) => {
        // The record before the page may have been deleted since: then the page is found by its number.
        if (query.after === undefined || statusOf(error) !== 400) throw error;
        return api.get<Page>(
          `${resource.path}?${requestOf(resource, { ...query, after: undefined }, columns)}`,
          signal,
        );
      });
      return { query, columns, page };
    },
    [key, turn],
  );
}
