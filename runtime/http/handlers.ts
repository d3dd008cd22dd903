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
  retrieveRecord,
  type Transition,
  updateRecord,
} from '../operations/records.ts';
import { text, integer } from '../schema/fields.ts';
import type { Table } from '../schema/table.ts';
import type { Env } from '../service.ts';
import type { Page } from '../store/store.ts';
import { readBody } from './body.ts';
import { streamChunks } from './chunks.ts';
import { parseBody } from './parse-body.ts';
import { readListQuery, refuseQuery } from './query.ts';

/** A response whose JSON is a `T`, so that a typed client knows it. */
type JsonResponse<T, Status extends 200 | 201 = 200> = Response & TypedResponse<T, Status, 'json'>;

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
type Handler<Input extends object, R> = (c: Context<Env, any, Input>) => MaybePromise<R>;

const jsonHeaders = { 'Content-Type': 'application/json' };

const respond = <T, Status extends 200 | 201 = 200>(
  body: string | Uint8Array,
  status: 200 | 201 = 200,
  headers: Record<string, string> = jsonHeaders,
): JsonResponse<T, Status> => new Response(body, { status, headers }) as JsonResponse<T, Status>;

const json = ['application/json'];
const mergePatch = ['application/json', 'application/merge-patch+json'];

/** The limits of a body: its bytes, and its members and array entries together. */
interface BodyLimits {
  readonly bytes: number;
  readonly values: number;
}

/** The body of a request that takes no query. */
async function bodyOf<T>(c: Context<Env>, schema: z.ZodType<T>, limits: BodyLimits, accepted = json): Promise<T> {
  refuseQuery(c.req.url);
  const bytes = await readBody(c.env.incoming, c.env.outgoing, limits.bytes, accepted);
  return parseBody(bytes, schema, limits.values);
}

/** A body has at most one value for each field: with so many more, a wrong one is still answered with all of its errors. */
const limitsOf = ({ maxBody, columns }: Table): BodyLimits => ({ bytes: maxBody, values: 2 * columns.length + 100 });

/** The id in the path of a request that takes no query. */
function idOf(c: Context<Env>): string {
  refuseQuery(c.req.url);
  return c.req.param('id') as string;
}

/** Answers 201 with the new record and its `Location`. */
export const create =
  <T, B extends object>(
    table: Table<T>,
    schema: z.ZodType<B>,
    limits = limitsOf(table),
  ): Handler<JsonInput<B>, JsonResponse<T, 201>> =>
  async (c) => {
    const body = await bodyOf(c, schema, limits);
    const { id, text: record } = await createRecord(c.env.store, table, body as Fields);
    return respond(record, 201, { ...jsonHeaders, Location: `${c.req.path}/${id}` });
  };

/** Answers 200 with the record. */
export const retrieve =
  <T>(table: Table<T>): Handler<NoInput, JsonResponse<T>> =>
  (c) =>
    andThen(retrieveRecord(c.env.store, table, idOf(c)), (record) => respond<T>(record));

/** Answers 200 with the one record of a singleton. */
export const retrieveSingleton =
  <T>(table: Table<T>): Handler<NoInput, JsonResponse<T>> =>
  (c) => {
    refuseQuery(c.req.url);
    return andThen(c.env.store.only(table.name), (record) => respond<T>(record));
  };

/** Answers 200 with a page of records, newest first. */
export const list =
  <T>(table: Table<T>): Handler<PageInput, JsonResponse<List<T>>> =>
  (c) =>
    respondPage(c, table, readListQuery(c.req.url, table));

/** Answers 200 with a page of the line items of one parent, in their order. */
export const listItems: <T>(table: Table<T>) => Handler<ItemsInput, JsonResponse<List<T>>> = list;

/** Answers 200 with the record as it is now. */
export const update =
  <T, B extends object>(
    table: Table<T>,
    schema: z.ZodType<B>,
    limits = limitsOf(table),
  ): Handler<JsonInput<B>, JsonResponse<T>> =>
  async (c) => {
    const body = await bodyOf(c, schema, limits, mergePatch);
    return respond(await updateRecord(c.env.store, table, idOf(c), body as Fields));
  };

/** Answers 200 with the id of the deleted record. */
export const remove =
  <T>(table: Table<T>): Handler<NoInput, JsonResponse<{ id: string; deleted: true }>> =>
  async (c) => {
    const id = idOf(c);
    await deleteRecord(c.env.store, table, id);
    return respond(JSON.stringify({ id, deleted: true }));
  };

/** Moves a field from one of some states to another; answers 200 with the record as it is now. */
export const transition =
  <T>(table: Table<T>, move: Transition): Handler<NoInput, JsonResponse<T>> =>
  async (c) =>
    respond(await moveRecord(c.env.store, table, idOf(c), move));

const Reorder = z.strictObject({
  items: z
    .array(z.strictObject({ id: text(), idx: integer() }))
    .min(1)
    .max(maxReorderItems),
});

/** Three for each item: with three times as many, too many items are still answered with their number. */
const maxReorderValues = 10 * maxReorderItems;

/** Gives line items of one parent a new order; answers 200 with the parent's list in that order. */
export const reorder =
  <T>(table: Table<T>): Handler<JsonInput<z.infer<typeof Reorder>>, JsonResponse<List<T>>> =>
  async (c) => {
    const { items } = await bodyOf(c, Reorder, { bytes: table.maxBody, values: maxReorderValues });
    const where = await reorderItems(c.env.store, table, items);
    return respondPage(c, table, { limit: maxListLimit, offset: 0, where });
  };

const respondPage = <T>(c: Context<Env>, table: Table<T>, page: Page): MaybePromise<JsonResponse<List<T>>> =>
  andThen(listRecords(c.env.store, table, page), ({ items, hasMore, total }) => {
    const start = '{"data":[';
    const end = `],"has_more":${hasMore},"total":${total}}`;
    if (typeof items === 'string') return respond(start + items + end);
    if (Array.isArray(items)) return respond(Buffer.concat([Buffer.from(start), ...items, Buffer.from(end)]));
    const { incoming, outgoing } = c.env;
    if (incoming.method === 'HEAD') return respond('');
    return streamChunks(outgoing, start, items, end).then(() => RESPONSE_ALREADY_SENT as JsonResponse<List<T>>);
  });
