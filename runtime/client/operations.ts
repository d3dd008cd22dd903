import { pageLength } from './limits.ts';
import type { Query } from './query.ts';
import type { ChangeOptions, RequestOptions, Requests, WriteOptions } from './requests.ts';
import type {
  Counted,
  CountQuery,
  Deleted,
  ItemCountQuery,
  ListQuery,
  Page,
  Projection,
  Shown,
  ShownAlone,
  Tagged,
} from './types.ts';

/** The lists of a record type. */
export interface Lists<T, Filter extends object, Sort extends string, Items, Search = never> {
  /** One page of the list. */
  list<Field extends keyof T = keyof T, Item extends keyof Items = never>(
    query?: ListQuery<Filter, Sort | 'id' | 'created_at', Field, Item, Search>,
    options?: RequestOptions,
  ): Promise<Page<Shown<T, Field, Items, Item>>>;

  /** Every record of the list, from all its pages; `limit` is the length of a page. */
  each<Field extends keyof T = keyof T, Item extends keyof Items = never>(
    query?: ListQuery<Filter, Sort | 'id' | 'created_at', Field, Item, Search>,
    options?: RequestOptions,
  ): AsyncGenerator<Shown<T, Field, Items, Item>, void, undefined>;
}

/** The lists of line items. */
interface ItemLists<T, Filter extends object, Sort extends string, Items, Search = never> {
  /** One page of the line items of a parent. */
  list<Field extends keyof T = keyof T, Item extends keyof Items = never>(
    parentId: string,
    query?: ListQuery<Filter, Sort | 'id', Field, Item, Search>,
    options?: RequestOptions,
  ): Promise<Page<Shown<T, Field, Items, Item>>>;

  /** Every line item of a parent, from all pages; `limit` is the length of a page. */
  each<Field extends keyof T = keyof T, Item extends keyof Items = never>(
    parentId: string,
    query?: ListQuery<Filter, Sort | 'id', Field, Item, Search>,
    options?: RequestOptions,
  ): AsyncGenerator<Shown<T, Field, Items, Item>, void, undefined>;
}

/** The parts that records can be shown with: none, if a resource names none. */
export type None = Record<never, never>;

/**
 * The records of all pages, one after the other. The next page is requested before the last record of a page is given out:
 * who deletes each record that it gets would take the cursor away.
 */
async function* eachOf<T>(
  requests: Requests,
  path: string,
  query: Query,
  options: RequestOptions | undefined,
): AsyncGenerator<T, void, undefined> {
  type Found = Awaited<T> & { readonly id: string };
  const read = (asked: Query): Promise<Page<Found>> =>
    requests.send({ method: 'GET', path, query: { limit: pageLength, ...query, ...asked } }, options);
  let page: Page<Found> | undefined = await read({});
  while (page) {
    const last = page.data.pop();
    if (!last) return;
    yield* page.data;
    page = page.has_more ? await read({ offset: undefined, after: last.id }) : undefined;
    yield last;
  }
}

/** The lists of a record type that cannot be searched. */
export const lists = <T, Filter extends object, Sort extends string = never, Items = None>(
  requests: Requests,
  path: string,
): Lists<T, Filter, Sort, Items> => ({
  list: (query, options) => requests.send({ method: 'GET', path, query }, options),
  each: (query, options) => eachOf(requests, path, { ...query }, options),
});

/** The lists of a record type that can be searched. */
export const searchedLists: <T, Filter extends object, Sort extends string = never, Items = None>(
  requests: Requests,
  path: string,
) => Lists<T, Filter, Sort, Items, string> = lists as never;

/** The lists of line items that cannot be searched. */
export const itemLists = <T, Filter extends object, Sort extends string = never, Items = None>(
  requests: Requests,
  path: string,
): ItemLists<T, Filter, Sort, Items> => ({
  list: (parentId, query, options) =>
    requests.send({ method: 'GET', path, query: { ...query, parent_id: parentId } }, options),
  each: (parentId, query, options) => eachOf(requests, path, { ...query, parent_id: parentId }, options),
});

/** The lists of line items that can be searched. */
export const searchedItemLists: <T, Filter extends object, Sort extends string = never, Items = None>(
  requests: Requests,
  path: string,
) => ItemLists<T, Filter, Sort, Items, string> = itemLists as never;

/** Counts the records of a list. `Search` is a string if it can be searched. */
export const counts =
  <T, Filter extends object, By extends keyof T, Sum extends keyof T, Search extends string = never>(
    requests: Requests,
    path: string,
  ) =>
  <B extends By = never, S extends Sum = never>(
    query?: CountQuery<Filter, B, S, Search>,
    options?: RequestOptions,
  ): Promise<Counted<T, B, S>> =>
    requests.send({ method: 'GET', path: `${path}/count`, query }, options);

/** Counts line items. */
export const itemCounts: <
  T,
  Filter extends object,
  By extends keyof T,
  Sum extends keyof T,
  Search extends string = never,
>(
  requests: Requests,
  path: string,
) => <B extends By = never, S extends Sum = never>(
  query?: ItemCountQuery<Filter, B, S, Search>,
  options?: RequestOptions,
) => Promise<Counted<T, B, S>> = counts as never;

export const create =
  <T, Body>(requests: Requests, path: string) =>
  (body: Body, options?: WriteOptions): Promise<Tagged<T>> =>
    requests.send({ method: 'POST', path, body }, options);

export const retrieve =
  <T, Items = None>(requests: Requests, path: string) =>
  <Field extends keyof T = keyof T, Item extends keyof Items = never>(
    id: string,
    projection?: Projection<Field, Item>,
    options?: RequestOptions,
  ): Promise<ShownAlone<T, Field, Items, Item>> =>
    requests.send({ method: 'GET', path, id, query: projection }, options);

export const retrieveSingleton =
  <T, Items = None>(requests: Requests, path: string) =>
  <Field extends keyof T = keyof T, Item extends keyof Items = never>(
    projection?: Projection<Field, Item>,
    options?: RequestOptions,
  ): Promise<ShownAlone<T, Field, Items, Item>> =>
    requests.send({ method: 'GET', path, query: projection }, options);

export const update =
  <T, Body>(requests: Requests, path: string) =>
  (id: string, changes: Body, options?: ChangeOptions): Promise<Tagged<T>> =>
    requests.send({ method: 'PATCH', path, id, body: changes, condition: options }, options);

export const remove =
  (requests: Requests, path: string) =>
  (id: string, options?: ChangeOptions): Promise<Deleted> =>
    requests.send({ method: 'DELETE', path, id, condition: options }, options);

/** An operation without a body. */
export const change =
  <T>(requests: Requests, path: string, action: string) =>
  (id: string, options?: ChangeOptions): Promise<Tagged<T>> =>
    requests.send({ method: 'POST', path, id, action, condition: options }, options);

/** The input of an operation: it can be left out if nothing of it is required. */
type InputArgument<Input> = None extends Input ? [input?: Input] : [input: Input];

/** An operation with an input. */
export const changeWith: <T, Input>(
  requests: Requests,
  path: string,
  action: string,
) => (id: string, ...given: [...InputArgument<Input>, options?: ChangeOptions]) => Promise<Tagged<T>> =
  (requests, path, action) =>
  (...given: readonly unknown[]) => {
    const [id, input, options] = given as [id: string, input: unknown, options?: ChangeOptions];
    return requests.send({ method: 'POST', path, id, action, body: input, condition: options }, options);
  };

export const reorder =
  <T>(requests: Requests, path: string) =>
  (items: readonly { readonly id: string; readonly idx: number }[], options?: WriteOptions): Promise<Page<T>> =>
    requests.send({ method: 'POST', path: `${path}/reorder`, body: { items } }, options);
