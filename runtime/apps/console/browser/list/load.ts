import { useLayoutEffect, useState } from 'preact/hooks';
import { type Api, type Page, statusOf } from '../api.ts';
import type { Field, Resource } from '../model.ts';
import { type ListQuery, requestOf } from './query.ts';

/** A page, and the query and the columns that it answers. */
export interface Loaded {
  readonly query: ListQuery;
  readonly columns: readonly Field[];
  readonly page: Page;
}

interface Loading {
  /** The last page that has come: it stays until the next one does. */
  readonly loaded: Loaded | undefined;
  readonly isLoading: boolean;
  /** Why the last request has failed. */
  readonly error: unknown;
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
export function useList(api: Api, { resource, query, columns, turn }: Wanted): Loading {
  const key = `${resource.path}?${requestOf(resource, query, columns)}`;
  const [state, setState] = useState<Loading>({ loaded: undefined, isLoading: true, error: undefined });
  // An effect would wait for the next frame.
  useLayoutEffect(() => {
    const controller = new AbortController();
    setState(({ loaded }) => ({ loaded, isLoading: true, error: undefined }));
    const reading = api.get<Page>(key, controller.signal).catch((error: unknown) => {
      // The record before the page may have been deleted since: then the page is found by its number.
      if (query.after === undefined || statusOf(error) !== 400) throw error;
      return api.get<Page>(
        `${resource.path}?${requestOf(resource, { ...query, after: undefined }, columns)}`,
        controller.signal,
      );
    });
    reading.then(
      (page) => setState({ loaded: { query, columns, page }, isLoading: false, error: undefined }),
      (error: unknown) => {
        if (!controller.signal.aborted) setState(({ loaded }) => ({ loaded, isLoading: false, error }));
      },
    );
    return () => controller.abort();
  }, [api, key, turn]);
  return state;
}
