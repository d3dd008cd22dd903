import type { Context } from 'hono';
import { z } from 'zod';
import { ApiError } from '../model/errors.ts';
import { maxListLimit, maxReorderItems } from '../model/limits.ts';
import { andThen, type MaybePromise } from '../model/maybe-promise.ts';
import {
  createRecord,
  deleteRecord,
  type EffectOf,
  type Fields,
  moveRecord,
  perform,
  type PreparedWrite,
  reorderItems,
  type Success,
  type Transition,
  updateRecord,
} from '../records/operations.ts';
import { integer, text } from '../model/fields.ts';
import type { Table } from '../model/table.ts';
import type { Env, RequestEnv } from './service.ts';
import type { Records, TooLong } from '../records/store.ts';
import { type BodyLimits, readBody } from './body.ts';
import { callerOf, largeBytes, reserve } from './capacity.ts';
import { type Handler, type List, type NoInput, respondPage } from './handlers.ts';
import { parseBody } from './parse-body.ts';
import { refuseQuery } from './query.ts';
import { jsonHeaders, type JsonResponse, respond } from './responses.ts';

type JsonInput<T> = { in: { json: T }; out: { json: T } };

const json = ['application/json'];
const mergePatch = ['application/json', 'application/merge-patch+json'];

/** What a request body has to be. */
interface BodyRules<B> {
  readonly schema: z.ZodType<B>;
  readonly limits: BodyLimits;
  /** Media types. */
  readonly accepted: readonly string[];
}

/** How a write is requested, alone or as an operation of a batch. */
export interface WriteRoute<B = unknown, S extends Success = Success> {
  readonly table: Table;
  /** Absent where no body is read. */
  readonly body?: BodyRules<B>;
  /** Of its answer; 201 where it creates a record. */
  readonly status: 200 | 201;
  /** A record or a list that is stored may be longer than the body. */
  readonly answers: 'body' | 'stored' | 'list';
  /** @param id the one in the path, if it has one */
  prepare(records: Records, id: string, body: B): MaybePromise<PreparedWrite<S>>;
}

const routes = new WeakMap<object, WriteRoute>();

/** The write that a handler does; undefined of one that reads. */
export const writeRouteOf = (handler: object): WriteRoute | undefined => routes.get(handler);

/** Makes the handler of a write. */
function handlerOf<B, S extends Success, Input extends object, R>(
  route: WriteRoute<B, S>,
  handle: (c: Context<Env>) => MaybePromise<R>,
): Handler<Input, R> {
  const handler: Handler<Input, R> = (c) => handle(c);
  routes.set(handler, route as unknown as WriteRoute);
  return handler;
}

/** Checks a request, and does what it asks for. `answer` is a part of the write's turn. */
async function write<B, S extends Success, R>(
  c: Context<Env>,
  { body, answers, prepare }: WriteRoute<B, S>,
  answer: (effect: EffectOf<S>, prepared: PreparedWrite<S>) => R,
): Promise<R> {
  refuseQuery(c.req.url);
  const { records } = c.env;
  const prepareWith = (checked: B): MaybePromise<PreparedWrite<S>> =>
    prepare(records, c.req.param('id') ?? '', checked);
  const bytes = body && (await readBody(c.env, body.limits.bytes, body.accepted));
  const check = (): MaybePromise<PreparedWrite<S>> =>
    body && bytes
      ? andThen(parseBody(bytes, body.schema, body.limits.values), (checked) =>
          andThen(requireKey(c.env), () => prepareWith(checked)),
        )
      : prepareWith(undefined as B);
  const length = bytes?.length ?? 0;
  let prepared: PreparedWrite<S> | undefined;
  // The record may be far longer than its body: how long is known when it is found.
  for (let maxBytes = largeBytes; ;) {
    const done = await inTurn(c, maxBytes > largeBytes ? maxBytes + length : length, async () => {
      const checked = prepared ?? check();
      prepared = checked instanceof Promise ? await checked : checked;
      const effect = await perform(records, prepared, answers === 'stored' ? maxBytes : undefined);
      return isTooLong(effect) ? effect : { answer: answer(effect, prepared) };
    });
    if ('answer' in done) return done.answer;
    maxBytes = Math.max(maxBytes, done.bytes);
  }
}

const isTooLong = (result: { readonly outcome: string }): result is TooLong => result.outcome === 'too_long';

/** A body may take minutes. @throws ApiError `unauthorized` if the key was revoked meanwhile */
export const requireKey = ({ keys, incoming: { headers, socket } }: RequestEnv): MaybePromise<void> =>
  andThen(keys.check(headers.authorization, socket.remoteAddress), (client) => {
    if (client instanceof ApiError) throw client;
  });

/**
 * Works on a body, in its turn if it or its answer may be large.
 *
 * @param bytes the longer of the two
 */
export async function inTurn<R>({ env }: Context<Env>, bytes: number, work: () => MaybePromise<R>): Promise<R> {
  if (bytes <= largeBytes) return work();
  await reserve(env, bytes);
  return env.capacity.bodies.run(callerOf(env), bytes, work);
}

/** A body has at most one value for each field: with so many more, a wrong one is still answered with all of its errors. */
const limitsOf = ({ maxBody, columns }: Table): BodyLimits => ({ bytes: maxBody, values: 2 * columns.length + 100 });

/** Answers 201 with the new record and its `Location`. */
export function create<T, B extends object>(
  table: Table<T>,
  schema: z.ZodType<B>,
): Handler<JsonInput<B>, JsonResponse<T, 201>> {
  const route: WriteRoute<B, 'written'> = {
    table,
    body: { schema, limits: limitsOf(table), accepted: json },
    status: 201,
    answers: 'body',
    prepare: (records, _, body) => createRecord(records, table, body as Fields),
  };
  return handlerOf(route, (c) =>
    write(c, route, ({ json: record }, { id }) =>
      respond<T, 201>(c, record, 201, { ...jsonHeaders, Location: `${c.env.pathPrefix}${c.req.path}/${id}` }),
    ),
  );
}

/** A handler that answers 200 with the record as it is now. */
const changing = <T, B, Input extends object>(route: WriteRoute<B, 'written'>): Handler<Input, JsonResponse<T>> =>
  handlerOf(route, (c) => write(c, route, ({ json: record }) => respond<T>(c, record)));

/** Answers 200 with the record as it is now. */
export const update = <T, B extends object>(
  table: Table<T>,
  schema: z.ZodType<B>,
): Handler<JsonInput<B>, JsonResponse<T>> =>
  changing({
    table,
    body: { schema, limits: limitsOf(table), accepted: mergePatch },
    status: 200,
    answers: 'stored',
    prepare: (_, id, body) => updateRecord(table, id, body as Fields),
  });

/** Moves a field from one of some states to another; answers 200 with the record as it is now. */
export const transition = <T>(table: Table<T>, move: Transition): Handler<NoInput, JsonResponse<T>> =>
  changing({ table, status: 200, answers: 'stored', prepare: (_, id) => moveRecord(table, id, move) });

/** Answers 200 with the id of the deleted record. */
export function remove<T>(table: Table<T>): Handler<NoInput, JsonResponse<{ id: string; deleted: true }>> {
  const route: WriteRoute<unknown, 'deleted'> = {
    table,
    status: 200,
    answers: 'body',
    prepare: (_, id) => deleteRecord(table, id),
  };
  return handlerOf(route, (c) => write(c, route, (_, { id }) => respond(c, deletedText(id))));
}

/** The answer to a delete. */
export const deletedText = (id = ''): string => JSON.stringify({ id, deleted: true });

const Reorder = z.strictObject({
  items: z
    .array(z.strictObject({ id: text(), idx: integer() }))
    .min(1)
    .max(maxReorderItems),
});

/** Three for each item: with three times as many, too many items are still answered with their number. */
const maxReorderValues = 10 * maxReorderItems;

/** Gives line items of one parent a new order; answers 200 with the parent's list in that order. */
export function reorder<T>(table: Table<T>): Handler<JsonInput<z.infer<typeof Reorder>>, JsonResponse<List<T>>> {
  const route: WriteRoute<z.infer<typeof Reorder>, 'reordered'> = {
    table,
    body: { schema: Reorder, limits: { bytes: table.maxBody, values: maxReorderValues }, accepted: json },
    status: 200,
    answers: 'list',
    prepare: (_, __, { items }) => reorderItems(table, items),
  };
  return handlerOf(route, async (c) => {
    const where = await write(c, route, ({ parent }) => parent);
    return respondPage(c, table, { limit: maxListLimit, offset: 0, where });
  });
}
