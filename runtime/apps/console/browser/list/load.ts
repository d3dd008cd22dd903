import { useEffect, useState } from 'preact/hooks';
import { type Api, type Page, statusOf } from '../api.ts';
import type { Resource } from '../model.ts';
import { type ListQuery, requestOf } from './query.ts';

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

/**
 * Loads the page of a list that a query names.
 *
 * @param turn another one loads it again
 */
export function useList(api: Api, resource: Resource, query: ListQuery, turn: number): Loading {
  const key = `${resource.path}?${requestOf(resource, query)}`;
  const [state, setState] = useState<Loading>({ loaded: undefined, isLoading: true, error: undefined });
  useEffect(() => {
    const controller = new AbortController();
    setState(({ loaded }) => ({ loaded, isLoading: true, error: undefined }));
    const reading = api.get<Page>(key, controller.signal).catch((error: unknown) => {
      // The record before the page may have been deleted since: then the page is found by its number.
      if (query.after === undefined || statusOf(error) !== 400) throw error;
      return api.get<Page>(
        `${resource.path}?${requestOf(resource, { ...query, after: undefined })}`,
        controller.signal,
      );
    });
    reading.then(
      (page) => setState({ loaded: { query, page }, isLoading: false, error: undefined }),
      (error: unknown) => {
        if (!controller.signal.aborted) setState(({ loaded }) => ({ loaded, isLoading: false, error }));
      },
    );
    return () => controller.abort();
  }, [api, key, turn]);
  return state;
}
