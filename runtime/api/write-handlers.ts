import type { Context } from 'hono';
import { z } from 'zod';
import { ApiError } from '../model/errors.ts';
import { integer, text } from '../model/fields.ts';
import { maxListLimit, maxReorderItems } from '../model/limits.ts';
import { andThen, type MaybePromise } from '../model/maybe-promise.ts';
import { type BodyName, mediaTypes } from '../model/operations.ts';
import { creatable, updatable } from '../model/shapes.ts';
import { schemaOf, type Table } from '../model/table.ts';
import { type EffectOf, perform, type PreparedWrite, prepareWrite, type Success } from '../records/perform.ts';
import type { Page, TooLong } from '../records/store.ts';
import { type BodyLimits, readBody } from './body.ts';
import { callerOf, largeBytes, reserve } from './capacity.ts';
import { type Endpoint, endpointOf, type Handler, handlerOf, type NoInput } from './endpoint.ts';
import { type List, respondPage } from './handlers.ts';
import { parseBody } from './parse-body.ts';
import { refuseQuery } from './query.ts';
import { jsonHeaders, type JsonResponse, respond } from './responses.ts';
import type { Env, RequestEnv } from './service.ts';

type JsonInput<T> = { in: { json: T }; out: { json: T } };

/** The rules of a request body. */
interface BodyRules {
  readonly schema: z.ZodType;
  readonly limits: BodyLimits;
  /** Media types. */
  readonly accepted: readonly string[];
}

/** An endpoint that writes, for a request or an operation of a batch. */
export interface WriteEndpoint extends Endpoint {
  /** Absent if no body is read. */
  readonly rules?: BodyRules;
}

export function writeEndpoint(endpoint: Endpoint): WriteEndpoint {
  const { table, operation } = endpoint;
  if (!operation.body) return endpoint;
  const { schema, values } = bodies[operation.body](table);
  const limits = { bytes: table.maxBody, values };
  return { ...endpoint, rules: { schema, limits, accepted: mediaTypes[operation.body] } };
}

/** Whether the response shows a record or a list that may be longer than the body. */
export const showsStored = ({ operation: { response, body } }: Endpoint): boolean =>
  response !== 'deleted' && body !== 'create';

/** Makes the handler of a write. `finish` is a part of the write's turn. */
function writer<S extends Success, Input extends object, R>(
  table: Table,
  name: string,
  finish: (c: Context<Env>, effect: EffectOf<S>, prepared: PreparedWrite<S>) => R,
): Handler<Input, R> {
  const endpoint = writeEndpoint(endpointOf(table, name));
  return handlerOf(endpoint, (c) => write(c, endpoint, finish));
}

/** Checks a request, and does what it asks for. */
async function write<S extends Success, R>(
  c: Context<Env>,
  endpoint: WriteEndpoint,
  finish: (c: Context<Env>, effect: EffectOf<S>, prepared: PreparedWrite<S>) => R,
): Promise<R> {
  refuseQuery(c.req.url);
  const { table, operation, rules } = endpoint;
  const { records } = c.env;
  const prepareWith = (body?: unknown): MaybePromise<PreparedWrite> =>
    prepareWrite(operation, { records, table, id: c.req.param('id') ?? '', body });
  const bytes = rules && (await readBody(c.env, rules.limits.bytes, rules.accepted));
  const check = (): MaybePromise<PreparedWrite> =>
    rules && bytes
      ? andThen(parseBody(bytes, rules.schema, rules.limits.values), (body) =>
          andThen(requireKey(c.env), () => prepareWith(body)),
        )
      : prepareWith();
  const isLimited = operation.response === 'record' && showsStored(endpoint);
  const length = bytes?.length ?? 0;
  let prepared: PreparedWrite<S> | undefined;
  // The record may be far longer than its body: how long is known when it is found.
  for (let maxBytes = largeBytes; ;) {
    const done = await inTurn(c, maxBytes > largeBytes ? maxBytes + length : length, async () => {
      const checked = prepared ?? check();
      prepared = (checked instanceof Promise ? await checked : checked) as PreparedWrite<S>;
      const effect = await perform(records, prepared, isLimited ? maxBytes : undefined);
      return isTooLong(effect) ? effect : { answer: finish(c, effect, prepared) };
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

const Reorder = z.strictObject({
  items: z
    .array(z.strictObject({ id: text(), idx: integer() }))
    .min(1)
    .max(maxReorderItems),
});

/** The schema of each body, and the most values that it is parsed with. */
const bodies: Readonly<Record<BodyName, (table: Table) => { readonly schema: z.ZodType; readonly values: number }>> = {
  create: (table) => ({ schema: creatable(schemaOf(table)), values: maxFieldValues(table) }),
  update: (table) => ({ schema: updatable(schemaOf(table)), values: maxFieldValues(table) }),
  // Three for each item: with three times as many, too many items are still answered with their number.
  reorder: () => ({ schema: Reorder, values: 10 * maxReorderItems }),
};

/** A body has at most one value for each field: with so many more, a wrong one is still answered with all of its errors. */
const maxFieldValues = ({ columns }: Table): number => 2 * columns.length + 100;

/**
 * Answers 201 with the new record and its `Location`.
 *
 * @param _body the type of the body; its schema follows from the table
 */
export const create = <T, B extends object>(
  table: Table<T>,
  _body: z.ZodType<B>,
): Handler<JsonInput<B>, JsonResponse<T, 201>> =>
  writer<'written', JsonInput<B>, JsonResponse<T, 201>>(table, 'create', (c, { json }, { id }) =>
    respond(c, json, 201, { ...jsonHeaders, Location: `${c.env.pathPrefix}${c.req.path}/${id}` }),
  );

/** Answers 200 with the record as it is now. */
const changing = <T, Input extends object>(table: Table<T>, name: string): Handler<Input, JsonResponse<T>> =>
  writer<'written', Input, JsonResponse<T>>(table, name, (c, { json }) => respond(c, json));

/** Answers 200 with the record as it is now. See `create`. */
export const update = <T, B extends object>(
  table: Table<T>,
  _body: z.ZodType<B>,
): Handler<JsonInput<B>, JsonResponse<T>> => changing(table, 'update');

/** Does an operation without a body: a transition, by its name. Answers 200 with the record as it is now. */
export const change: <T>(table: Table<T>, name: string) => Handler<NoInput, JsonResponse<T>> = changing;

/** Answers 200 with the id of the deleted record. */
export const remove = <T>(table: Table<T>): Handler<NoInput, JsonResponse<{ id: string; deleted: true }>> =>
  writer<'deleted', NoInput, JsonResponse<{ id: string; deleted: true }>>(table, 'delete', (c, _, { id }) =>
    respond(c, deletedText(id)),
  );

/** The answer to a delete. */
export const deletedText = (id = ''): string => JSON.stringify({ id, deleted: true });

/** Gives line items of one parent a new order; answers 200 with the parent's list in that order. */
export function reorder<T>(table: Table<T>): Handler<JsonInput<z.infer<typeof Reorder>>, JsonResponse<List<T>>> {
  const endpoint = writeEndpoint(endpointOf(table, 'reorder'));
  return handlerOf(endpoint, async (c) => {
    const where = await write<'reordered', NonNullable<Page['where']>>(c, endpoint, (_, { parent }) => parent);
    return respondPage(c, table, { limit: maxListLimit, offset: 0, where });
  });
}
