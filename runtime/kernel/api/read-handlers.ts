import type { Context } from 'hono';
import { listRecords, retrieveRecord, showRecord } from '../records/reads.ts';
import { streamRecord, streamRecords } from '../records/stream.ts';
import { shortPage } from '../records/limits.ts';
import type { Query } from '../model/query.ts';
import { ApiError } from '../model/errors.ts';
import { mayBeLarge } from '../model/limits.ts';
import type { Table } from '../model/table.ts';
import type { Env, RequestEnv } from './service.ts';
import {
  areLong,
  type ItemStream,
  type Listing,
  type Page,
  type Projection,
  type ShownRecords,
} from '../records/page.ts';
import { endpointOf, type Handler, handlerOf, type NoInput, requireKey } from './endpoint.ts';
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
export const retrieve = <T>(table: Table<T>): Handler<NoInput, JsonResponse<T>> => {
  const isLarge = mayBeLarge(table);
  return handlerOf(endpointOf(table, 'retrieve'), (c) => {
    const { records } = c.env.principal;
    const id = c.req.param('id');
    const projection = readRecordQuery(c.req.url, table, c.env.parameters);
    if (!projection) return respondRead<T>(c, table.maxBody, isLarge, () => retrieveRecord(records, table, id));
    const shown = permitted(c.env, table, projection);
    const read = async (): Promise<Body> => {
      const items = await showRecord(records, table, id, shown);
      if (!areLong(items)) return whole('', items, '');
      return streamed(c.env, table, '', streamRecord(records, table, String(items.ids[0]), shown), '');
    };
    return respondRead(c, table.maxBody, isLarge || shown.expand !== undefined, read);
  });
};

/** Responds 200 with the one record of a singleton: its path names no id. */
export const retrieveSingleton: <T>(table: Table<T>) => Handler<NoInput, JsonResponse<T>> = retrieve;

/**
 * Responds 200 with a page of records, newest first.
 *
 * @param _query the types of the parameters; their fields are in the table
 */
export const list = <T, P>(table: Table<T>, _query: Query<P>): Handler<ListInput<P>, JsonResponse<List<T>>> => {
  const respondPage = pagesOf(table);
  return handlerOf(endpointOf(table, 'list'), (c) => respondPage(c, readListQuery(c.req.url, table, c.env.parameters)));
};

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

/** Makes the function that responds 200 with a page of a table. */
export function pagesOf<T>(table: Table<T>): (c: Context<Env>, page: Page) => Promise<JsonResponse<List<T>>> {
  const isLarge = mayBeLarge(table);
  return (c, page) => {
    const projection = page.projection && permitted(c.env, table, page.projection);
    const { records } = c.env.principal;
    const read = async (): Promise<Body> => {
      const listing = await listRecords(records, table, { ...page, ...(projection && { projection }) });
      const { items } = listing;
      const end = endOfList(listing);
      if (!areLong(items)) return whole(startOfList, items, end);
      return streamed(c.env, table, startOfList, streamRecords(records, table, items, projection), end);
    };
    return respondRead(
      c,
      table.maxBody,
      isLarge || page.limit > shortPage || page.projection?.expand !== undefined,
      read,
    );
  };
}

/** The part of a projection that the sender may see. @throws ApiError `insufficient_scope` (403) */
const permitted = (env: RequestEnv, table: Table, projection: Projection): Projection =>
  env.parameters.reduce((allowed, { permit }) => permit?.(env, table, allowed) ?? allowed, projection);

const whole = (start: string, items: ShownRecords, end: string): Body =>
  typeof items === 'string' ? start + items + end : Buffer.concat([Buffer.from(start), ...items, Buffer.from(end)]);

/** Records over 1 MiB have files, which hardly shrink. */
const streamed = (env: RequestEnv, table: Table, start: string, chunks: ItemStream, end: string): Body => ({
  start,
  chunks: whileKeyed(env, chunks),
  end,
  isCompressible: !mayBeLarge(table),
});

/** Chunks, until the key is revoked. A key that cannot be checked just now is no reason to break off. */
async function* whileKeyed(env: RequestEnv, chunks: ItemStream): ItemStream {
  for await (const chunk of chunks) {
    await requireKey(env).catch((error: unknown) => {
      if (!(error instanceof ApiError) || error.status < 500) throw error;
    });
    yield chunk;
  }
}
