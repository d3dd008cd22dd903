import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context, TypedResponse } from 'hono';
import { z } from 'zod';
import { andThen, type MaybePromise } from '../maybe-promise.ts';
import { maxListLimit, maxReorderItems } from '../limits.ts';
import {
  createRecord,
  deleteRecord,
  type Fields,
  listRecords,
  moveRecord,
  reorderItems,
  retrieveOnly,
  retrieveRecord,
  type Transition,
  updateRecord,
} from '../operations/records.ts';
import { text, integer } from '../schema/fields.ts';
import type { Table } from '../schema/table.ts';
import { validate } from '../schema/validate.ts';
import type { Listing, Page, Store } from '../store/store.ts';
import { readJson } from './body.ts';
import { sendPieces } from './chunks.ts';
import { readItemsQuery, readListQuery, refuseQuery } from './query.ts';

/** What every route can reach. */
export interface Env {
  Bindings: HttpBindings & { store: Store };
}

/** An answer whose JSON is a `T`, so that a typed client knows it. */
export type Answer<T, Status extends 200 | 201 = 200> = Response & TypedResponse<T, Status, 'json'>;

/** A page of records. */
export interface List<T> {
  data: T[];
  has_more: boolean;
  total: number;
}

type NoInput = Record<never, never>;
type JsonInput<T> = { in: { json: T }; out: { json: T } };
type PageQuery = { limit?: string; offset?: string; after?: string };
type PageInput = { in: { query?: PageQuery }; out: { query: PageQuery } };
type ItemsQuery = PageQuery & { parent_id: string };
type ItemsInput = { in: { query: ItemsQuery }; out: { query: ItemsQuery } };

// The path and the input belong to the types of a route alone; a handler works on any.
// oxlint-disable-next-line no-explicit-any
type Handler<Input extends object, A> = (c: Context<Env, any, Input>) => MaybePromise<A>;

const jsonHeaders = { 'Content-Type': 'application/json' };

const answer = <A>(
  body: string | Uint8Array,
  status: 200 | 201 = 200,
  headers: Record<string, string> = jsonHeaders,
): A => new Response(body, { status, headers }) as A;

const json = ['application/json'];
const mergePatch = ['application/json', 'application/merge-patch+json'];

async function readBody<T>(
  c: Context<Env>,
  schema: z.ZodType<T>,
  limit: number,
  accepted: readonly string[],
): Promise<T> {
  return validate(schema, await readJson(c.env.incoming, c.env.outgoing, limit, accepted));
}

const idOf = (c: Context): string => c.req.param('id') as string;

/** Answers 201 with the new record and its `Location`. */
export const create =
  <T, B extends object>(table: Table<T>, schema: z.ZodType<B>): Handler<JsonInput<B>, Answer<T, 201>> =>
  async (c) => {
    refuseQuery(c.req.url);
    const body = await readBody(c, schema, table.maxBody, json);
    const { id, text: record } = await createRecord(c.env.store, table, body as Fields);
    return answer(record, 201, { ...jsonHeaders, Location: `${c.req.path}/${id}` });
  };

/** Answers 200 with the record. */
export const retrieve =
  <T>(table: Table<T>): Handler<NoInput, Answer<T>> =>
  (c) => {
    refuseQuery(c.req.url);
    return andThen(retrieveRecord(c.env.store, table, idOf(c)), (record) => answer<Answer<T>>(record));
  };

/** Answers 200 with the one record of a singleton. */
export const retrieveSingleton =
  <T>(table: Table<T>): Handler<NoInput, Answer<T>> =>
  (c) => {
    refuseQuery(c.req.url);
    return andThen(retrieveOnly(c.env.store, table), (record) => answer<Answer<T>>(record));
  };

/** Answers 200 with a page of records, newest first. */
export const list =
  <T>(table: Table<T>): Handler<PageInput, Answer<List<T>>> =>
  (c) =>
    answerList(c, table, readListQuery(c.req.url, table));

/** Answers 200 with a page of the line items of one parent, in their order. */
export const listItems =
  <T>(table: Table<T>): Handler<ItemsInput, Answer<List<T>>> =>
  (c) => {
    const { parentId, page } = readItemsQuery(c.req.url, table);
    return answerList(c, table, { ...page, where: { [table.parent?.field ?? '']: parentId } });
  };

/** Answers 200 with the record as it is now. */
export const update =
  <T, B extends object>(table: Table<T>, schema: z.ZodType<B>): Handler<JsonInput<B>, Answer<T>> =>
  async (c) => {
    refuseQuery(c.req.url);
    const body = await readBody(c, schema, table.maxBody, mergePatch);
    return answer(await updateRecord(c.env.store, table, idOf(c), body as Fields));
  };

/** Answers 200 with the id of the record that is gone. */
export const remove =
  <T>(table: Table<T>): Handler<NoInput, Answer<{ id: string; deleted: true }>> =>
  async (c) => {
    refuseQuery(c.req.url);
    const id = idOf(c);
    await deleteRecord(c.env.store, table, id);
    return answer(JSON.stringify({ id, deleted: true }));
  };

/** Moves a field from one of some states to another; answers 200 with the record as it is now. */
export const transition =
  <T>(table: Table<T>, move: Transition): Handler<NoInput, Answer<T>> =>
  async (c) => {
    refuseQuery(c.req.url);
    return answer(await moveRecord(c.env.store, table, idOf(c), move));
  };

const Reorder = z.strictObject({
  items: z
    .array(z.strictObject({ id: text(), idx: integer() }))
    .min(1)
    .max(maxReorderItems),
});

/** Gives line items of one parent new places; answers 200 with the parent's list in its new order. */
export const reorder =
  <T>(table: Table<T>): Handler<JsonInput<z.infer<typeof Reorder>>, Answer<List<T>>> =>
  async (c) => {
    refuseQuery(c.req.url);
    const { items } = await readBody(c, Reorder, table.maxBody, json);
    const where = await reorderItems(c.env.store, table, items);
    return answerList(c, table, { limit: maxListLimit, offset: 0, where });
  };

const answerList = <T>(c: Context<Env>, table: Table<T>, page: Page): MaybePromise<Answer<List<T>>> =>
  andThen(listRecords(c.env.store, table, page), (listing) => {
    if (typeof listing.items === 'string') return answer<Answer<List<T>>>(bytesOf(listing, listing.items));
    return sendLong<T>(c, listing, listing.items);
  });

const endOf = ({ hasMore, total }: Listing): string => `],"has_more":${hasMore},"total":${total}}`;

/** The bodies of pages, for as long as the store remembers the page. */
const bodies = new WeakMap<Listing, Uint8Array>();

function bytesOf(listing: Listing, items: string): Uint8Array {
  const known = bodies.get(listing);
  if (known) return known;
  const body = Buffer.from(`{"data":[${items}${endOf(listing)}`);
  bodies.set(listing, body);
  return body;
}

async function sendLong<T>(
  c: Context<Env>,
  listing: Listing,
  items: Exclude<Listing['items'], string>,
): Promise<Answer<List<T>>> {
  if (c.env.incoming.method === 'HEAD') return answer('');
  await sendPieces(c.env.outgoing, '{"data":[', items, endOf(listing));
  return RESPONSE_ALREADY_SENT as Answer<List<T>>;
}
