import type { Context } from 'hono';
import { z } from 'zod';
import { ApiError } from '../errors.ts';
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
import type { Env, RequestEnv } from '../service.ts';
import type { Page } from '../store/store.ts';
import { readBody } from './body.ts';
import { callerOf, largeBytes, mayBeLarge, reserve } from './capacity.ts';
import type { Chunks } from './chunks.ts';
import { parseBody } from './parse-body.ts';
import { readListQuery, refuseQuery } from './query.ts';
import { answerRead, type Body, jsonHeaders, type JsonResponse, respond } from './responses.ts';

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

/** The records of a longer page may be large together. */
const shortPage = 100;

const json = ['application/json'];
const mergePatch = ['application/json', 'application/merge-patch+json'];

/** The limits of a body: its bytes, and its members and array entries together. */
interface BodyLimits {
  readonly bytes: number;
  readonly values: number;
}

/** Reads and checks the body of a request that takes no query, and does what it asks for: see `write`. */
async function writeBody<T, R>(
  c: Context<Env>,
  schema: z.ZodType<T>,
  limits: BodyLimits,
  accepted: readonly string[],
  answerBytes: number,
  work: (body: T) => Promise<R>,
): Promise<R> {
  refuseQuery(c.req.url);
  const bytes = await readBody(c.env, limits.bytes, accepted);
  return write(c, Math.max(bytes.length, answerBytes), () =>
    andThen(parseBody(bytes, schema, limits.values), (body) => andThen(requireKey(c.env), () => work(body))),
  );
}

/** A body may take minutes. @throws ApiError `unauthorized` if the key was revoked meanwhile */
const requireKey = ({ keys, incoming: { headers, socket } }: RequestEnv): MaybePromise<void> =>
  andThen(keys.check(headers.authorization, socket.remoteAddress), (client) => {
    if (client instanceof ApiError) throw client;
  });

/**
 * Does a write, in its turn if its body or its answer may be large.
 *
 * @param bytes the longer of the two
 */
async function write<R>({ env }: Context<Env>, bytes: number, work: () => MaybePromise<R>): Promise<R> {
  if (bytes <= largeBytes) return work();
  await reserve(env, bytes);
  return env.capacity.bodies.run(callerOf(env), bytes, work);
}

/** A body has at most one value for each field: with so many more, a wrong one is still answered with all of its errors. */
const limitsOf = ({ maxBody, columns }: Table): BodyLimits => ({ bytes: maxBody, values: 2 * columns.length + 100 });

/** The id in the path of a request that takes no query. */
function idOf(c: Context<Env>): string {
  refuseQuery(c.req.url);
  return c.req.param('id') as string;
}

/** Answers 201 with the new record and its `Location`. */
export const create = <T, B extends object>(
  table: Table<T>,
  schema: z.ZodType<B>,
): Handler<JsonInput<B>, JsonResponse<T, 201>> => {
  const limits = limitsOf(table);
  return (c) =>
    writeBody(c, schema, limits, json, 0, async (body) => {
      const { id, text: record } = await createRecord(c.env.records, table, body as Fields);
      return respond<T, 201>(c, record, 201, { ...jsonHeaders, Location: `${c.req.path}/${id}` });
    });
};

/** Answers 200 with the record. */
export const retrieve =
  <T>(table: Table<T>): Handler<NoInput, JsonResponse<T>> =>
  (c) => {
    const id = idOf(c);
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

/** Answers 200 with the record as it is now. */
export const update = <T, B extends object>(
  table: Table<T>,
  schema: z.ZodType<B>,
): Handler<JsonInput<B>, JsonResponse<T>> => {
  const limits = limitsOf(table);
  return (c) =>
    writeBody(c, schema, limits, mergePatch, largeRecord(c, table), async (body) =>
      respond(c, await updateRecord(c.env.records, table, idOf(c), body as Fields)),
    );
};

/** Answers 200 with the id of the deleted record. */
export const remove =
  <T>(table: Table<T>): Handler<NoInput, JsonResponse<{ id: string; deleted: true }>> =>
  async (c) => {
    const id = idOf(c);
    await deleteRecord(c.env.records, table, id);
    return respond(c, JSON.stringify({ id, deleted: true }));
  };

/** Moves a field from one of some states to another; answers 200 with the record as it is now. */
export const transition =
  <T>(table: Table<T>, move: Transition): Handler<NoInput, JsonResponse<T>> =>
  (c) => {
    const id = idOf(c);
    return write(c, largeRecord(c, table), async () => respond(c, await moveRecord(c.env.records, table, id, move)));
  };

/** The memory to reserve for a record, if it may be large. */
const largeRecord = ({ env }: Context<Env>, table: Table): number =>
  mayBeLarge(table) ? env.capacity.estimate(table) : 0;

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
    const limits = { bytes: table.maxBody, values: maxReorderValues };
    const where = await writeBody(c, Reorder, limits, json, 0, ({ items }) =>
      reorderItems(c.env.records, table, items),
    );
    return respondPage(c, table, { limit: maxListLimit, offset: 0, where });
  };

const respondPage = <T>(c: Context<Env>, table: Table<T>, page: Page): MaybePromise<JsonResponse<List<T>>> => {
  const estimate = c.env.capacity.estimate(table);
  return answerRead(c, table, page.limit > shortPage || mayBeLarge(table) ? estimate : 0, () =>
    andThen(listRecords(c.env.records, table, page), ({ items, hasMore, total }): Body => {
      const start = '{"data":[';
      const end = `],"has_more":${hasMore},"total":${total}}`;
      if (typeof items === 'string') return start + items + end;
      if (Array.isArray(items)) return Buffer.concat([Buffer.from(start), ...items, Buffer.from(end)]);
      return { start, chunks: items as Chunks, end, chunkBytes: estimate };
    }),
  );
};
