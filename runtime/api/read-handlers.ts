import type { Context } from 'hono';
import { permissionOf } from '../auth/scopes.ts';
import { andThen, type MaybePromise } from '../model/maybe-promise.ts';
import { listRecords, retrieveRecord, showRecord } from '../records/reads.ts';
import { shortPage } from '../records/limits.ts';
import type { Query } from '../model/query.ts';
import { mayBeLarge } from '../model/limits.ts';
import { expandablesOf, type Table } from '../model/table.ts';
import type { Env, RequestEnv } from './service.ts';
import type { Items, ItemStream, Listing, Page, Projection } from '../records/page.ts';
import { endpointOf, type Handler, handlerOf, type NoInput, readableBy, requirePermission } from './endpoint.ts';
import { readListQuery, readRecordQuery } from './query.ts';
import { type Body, type JsonResponse, respondRead } from './responses.ts';

/** A page of records. */
export interface List<T> {
  data: T[];
  has_more: boolean;
  total: number;
}

type ListInput<P> = { in: { query?: P }; out: { query: P } };
type ItemsQuery<P> = P & { parent_id: string };
type ItemsInput<P> = { in: { query: ItemsQuery<P> }; out: { query: ItemsQuery<P> } };

/** Responds 200 with the record. */
export const retrieve = <T>(table: Table<T>): Handler<NoInput, JsonResponse<T>> =>
  handlerOf(endpointOf(table, 'retrieve'), (c) => {
    const { records } = c.env.principal;
    const id = c.req.param('id');
    const projection = readRecordQuery(c.req.url, table);
    if (!projection) return respondRead<T>(c, table, () => retrieveRecord(records, table, id));
    const shown = permitted(c.env, table, projection);
    const read = (): MaybePromise<Body> =>
      andThen(showRecord(records, table, id, shown), (items) => bodyOf(table, '', items, ''));
    return respondRead(c, table, read, shown);
  });

/** Responds 200 with the one record of a singleton: its path names no id. */
export const retrieveSingleton: <T>(table: Table<T>) => Handler<NoInput, JsonResponse<T>> = retrieve;

/**
 * Responds 200 with a page of records, newest first.
 *
 * @param _query the types of the parameters; their fields are in the table
 */
export const list = <T, P>(table: Table<T>, _query: Query<P>): Handler<ListInput<P>, JsonResponse<List<T>>> =>
  handlerOf(endpointOf(table, 'list'), (c) => respondPage(c, table, readListQuery(c.req.url, table)));

/** Responds 200 with a page of the line items of one parent, in their order. See `list`. */
export const listItems: <T, P>(table: Table<T>, query: Query<P>) => Handler<ItemsInput<P>, JsonResponse<List<T>>> =
  list;

/** The JSON before and after the records of a page. */
const startOfList = '{"data":[';
const endOfList = ({ hasMore, total }: Pick<Listing, 'hasMore' | 'total'>): string =>
  `],"has_more":${hasMore},"total":${total}}`;

/** The JSON of a page whose records are short. */
export const pageText = (page: Listing & { readonly items: string }): string =>
  startOfList + page.items + endOfList(page);

/** Responds 200 with a page. */
export const respondPage = <T>(c: Context<Env>, table: Table<T>, page: Page): MaybePromise<JsonResponse<List<T>>> => {
  const projection = page.projection && permitted(c.env, table, page.projection);
  const shown = projection ? { ...page, projection } : page;
  const read = (): MaybePromise<Body> =>
    andThen(listRecords(c.env.principal.records, table, shown), (listing) =>
      bodyOf(table, startOfList, listing.items, endOfList(listing)),
    );
  return respondRead(c, table, read, page.projection, page.limit > shortPage);
};

/**
 * The projection for a key: it must be able to read the line items that are shown, and gets null instead of the records of a
 * resource that it may not read.
 */
function permitted<P extends Projection>(env: RequestEnv, table: Table, projection: P): P {
  if (!projection.expand) return projection;
  const isReadable = readableBy(env);
  const withheld: string[] = [];
  for (const { name, table: target, column } of expandablesOf(table)) {
    const shown = env.service.tables.find((one) => one.name === target);
    if (!shown || !projection.expand.includes(name)) continue;
    if (column === undefined) requirePermission(env, permissionOf(shown, 'read'));
    else if (!isReadable(shown.path)) withheld.push(name);
  }
  return { ...projection, withheld };
}

function bodyOf(table: Table, start: string, items: Items, end: string): Body {
  if (typeof items === 'string') return start + items + end;
  if (Array.isArray(items)) return Buffer.concat([Buffer.from(start), ...items, Buffer.from(end)]);
  return { start, chunks: items as ItemStream, end, isCompressible: !mayBeLarge(table) };
}
