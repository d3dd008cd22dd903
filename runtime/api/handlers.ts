import type { Context } from 'hono';
import { everything, permissionOf } from '../auth/scopes.ts';
import { andThen, type MaybePromise } from '../model/maybe-promise.ts';
import { listRecords, retrieveRecord, showRecord, showSettings } from '../records/perform.ts';
import type { Query } from '../model/query.ts';
import type { Table } from '../model/table.ts';
import type { Env } from './service.ts';
import type { Items, ItemStream, Listing, Page, Projection } from '../records/store.ts';
import { mayBeLarge } from './capacity.ts';
import { endpointOf, type Handler, handlerOf, type NoInput, requirePermission } from './endpoint.ts';
import { readListQuery } from './query.ts';
import { answerRead, type Body, type JsonResponse } from './responses.ts';
import { readExpand, readRecordQuery } from './view.ts';

/** A page of records. */
export interface List<T> {
  data: T[];
  has_more: boolean;
  total: number;
}

type ListInput<P> = { in: { query?: P }; out: { query: P } };
type ItemsQuery<P> = P & { parent_id: string };
type ItemsInput<P> = { in: { query: ItemsQuery<P> }; out: { query: ItemsQuery<P> } };

/** The records of a longer page may be large together. */
const shortPage = 100;

/** Makes the handler of a read. Its key may read the line items that it asks for, too. */
function reader<Input extends object, R>(table: Table, name: string, run: Handler<Input, R>): Handler<Input, R> {
  const { expand } = table;
  const endpoint = endpointOf(table, name);
  if (!expand) return handlerOf(endpoint, run);
  return handlerOf(endpoint, (c) => {
    for (const segment of c.env.principal.scopes.has(everything) ? [] : readExpand(c.req.url)) {
      const items = c.env.service.tables.find((other) => other.name === expand[segment]);
      if (items) requirePermission(c.env, permissionOf(items, 'read'));
    }
    return run(c);
  });
}

/** Answers 200 with the record. */
export const retrieve = <T>(table: Table<T>): Handler<NoInput, JsonResponse<T>> =>
  reader(table, 'retrieve', (c) => {
    const id = c.req.param('id') as string;
    const view = readRecordQuery(c.req.url, table);
    if (view) return respondView(c, table, view, () => showRecord(c.env.records, table, id, view));
    return answerRead<T>(c, table, largeRecord(c, table), (maxBytes) =>
      retrieveRecord(c.env.records, table, id, maxBytes),
    );
  });

/** Answers 200 with the one record of a singleton. */
export const retrieveSingleton = <T>(table: Table<T>): Handler<NoInput, JsonResponse<T>> =>
  reader(table, 'retrieve', (c) => {
    const view = readRecordQuery(c.req.url, table);
    if (view) return respondView(c, table, view, () => showSettings(c.env.records, table, view));
    return answerRead<T>(c, table, largeRecord(c, table), () => c.env.records.only(table.name));
  });

/**
 * Answers 200 with a page of records, newest first.
 *
 * @param _query the types of the parameters; their fields are in the table
 */
export const list = <T, P>(table: Table<T>, _query: Query<P>): Handler<ListInput<P>, JsonResponse<List<T>>> =>
  reader(table, 'list', (c) => respondPage(c, table, readListQuery(c.req.url, table)));

/** Answers 200 with a page of the line items of one parent, in their order. See `list`. */
export const listItems: <T, P>(table: Table<T>, query: Query<P>) => Handler<ItemsInput<P>, JsonResponse<List<T>>> =
  list;

/** The memory to reserve for a record, if it may be large. */
const largeRecord = ({ env }: Context<Env>, table: Table): number =>
  mayBeLarge(table) ? env.capacity.estimate(table) : 0;

/** The JSON before and after the records of a page. */
export const startOfList = '{"data":[';
export const endOfList = ({ hasMore, total }: Pick<Listing, 'hasMore' | 'total'>): string =>
  `],"has_more":${hasMore},"total":${total}}`;

/** Answers 200 with a page. */
export const respondPage = <T>(c: Context<Env>, table: Table<T>, page: Page): MaybePromise<JsonResponse<List<T>>> => {
  const { view } = page;
  const estimate = c.env.capacity.estimate(table, view);
  const isLarge = page.limit > shortPage || mayBeLarge(table) || view?.expand !== undefined;
  return answerRead(c, table, isLarge ? estimate : 0, () =>
    andThen(listRecords(c.env.records, table, page), (listing): Body =>
      bodyOf(startOfList, listing.items, endOfList(listing), estimate),
    ),
  );
};

/** Answers 200 with a record as the view shows it. */
const respondView = <T>(
  c: Context<Env>,
  table: Table<T>,
  view: Projection,
  read: () => MaybePromise<Items>,
): MaybePromise<JsonResponse<T>> => {
  const estimate = c.env.capacity.estimate(table, view);
  const isLarge = mayBeLarge(table) || view.expand !== undefined;
  return answerRead(c, table, isLarge ? estimate : 0, () =>
    andThen(read(), (items) => bodyOf('', items, '', estimate)),
  );
};

function bodyOf(start: string, items: Items, end: string, chunkBytes: number): Body {
  if (typeof items === 'string') return start + items + end;
  if (Array.isArray(items)) return Buffer.concat([Buffer.from(start), ...items, Buffer.from(end)]);
  return { start, chunks: items as ItemStream, end, chunkBytes };
}
