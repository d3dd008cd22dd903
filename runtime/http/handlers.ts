import type { Context } from 'hono';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import { listRecords, retrieveRecord } from '../operations/records.ts';
import type { Table } from '../schema/table.ts';
import type { Env } from '../service.ts';
import type { Listing, Page } from '../store/store.ts';
import { mayBeLarge } from './capacity.ts';
import type { Chunks } from './chunks.ts';
import { readListQuery, refuseQuery } from './query.ts';
import { answerRead, type Body, type JsonResponse } from './responses.ts';

/** A page of records. */
export interface List<T> {
  data: T[];
  has_more: boolean;
  total: number;
}

export type NoInput = Record<never, never>;
type PageQuery = { limit?: string; offset?: string; after?: string };
type PageInput = { in: { query?: PageQuery }; out: { query: PageQuery } };
type ItemsQuery = PageQuery & { parent_id: string };
type ItemsInput = { in: { query: ItemsQuery }; out: { query: ItemsQuery } };

// The path and the input belong to the types of a route alone; a handler works on any.
// oxlint-disable-next-line no-explicit-any
export type Handler<Input extends object, R> = (c: Context<Env, any, Input>) => MaybePromise<R>;

/** The records of a longer page may be large together. */
const shortPage = 100;

/** Answers 200 with the record. */
export const retrieve =
  <T>(table: Table<T>): Handler<NoInput, JsonResponse<T>> =>
  (c) => {
    refuseQuery(c.req.url);
    const id = c.req.param('id') as string;
    return answerRead<T>(c, table, largeRecord(c, table), () => retrieveRecord(c.env.records, table, id));
  };

/** Answers 200 with the one record of a singleton. */
export const retrieveSingleton =
  <T>(table: Table<T>): Handler<NoInput, JsonResponse<T>> =>
  (c) => {
    refuseQuery(c.req.url);
    return answerRead<T>(c, table, largeRecord(c, table), () => c.env.records.only(table.name));
  };

/** Answers 200 with a page of records, newest first. */
export const list =
  <T>(table: Table<T>): Handler<PageInput, JsonResponse<List<T>>> =>
  (c) =>
    respondPage(c, table, readListQuery(c.req.url, table));

/** Answers 200 with a page of the line items of one parent, in their order. */
export const listItems: <T>(table: Table<T>) => Handler<ItemsInput, JsonResponse<List<T>>> = list;

/** The memory to reserve for a record, if it may be large. */
export const largeRecord = ({ env }: Context<Env>, table: Table): number =>
  mayBeLarge(table) ? env.capacity.estimate(table) : 0;

/** What stands before and after the records of a page. */
export const startOfList = '{"data":[';
export const endOfList = ({ hasMore, total }: Pick<Listing, 'hasMore' | 'total'>): string =>
  `],"has_more":${hasMore},"total":${total}}`;

/** Answers 200 with a page. */
export const respondPage = <T>(c: Context<Env>, table: Table<T>, page: Page): MaybePromise<JsonResponse<List<T>>> => {
  const estimate = c.env.capacity.estimate(table);
  return answerRead(c, table, page.limit > shortPage || mayBeLarge(table) ? estimate : 0, () =>
    andThen(listRecords(c.env.records, table, page), (listing): Body => {
      const { items } = listing;
      const [start, end] = [startOfList, endOfList(listing)];
      if (typeof items === 'string') return start + items + end;
      if (Array.isArray(items)) return Buffer.concat([Buffer.from(start), ...items, Buffer.from(end)]);
      return { start, chunks: items as Chunks, end, chunkBytes: estimate };
    }),
  );
};
