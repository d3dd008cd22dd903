import type { Context } from 'hono';
import { z } from 'zod';
import { integer, text } from '../model/fields.ts';
import { maxListLimit, mayBeLarge } from '../model/limits.ts';
import { currentTime } from '../model/ids.ts';
import { type BodyName, mediaTypes, type ResourceOperation } from '../model/operations.ts';
import { creatable, type CreateBody, importable, type Shape, updatable } from '../model/shapes.ts';
import { type Column, freeFields, schemaOf, type Table } from '../model/table.ts';
import { fixedFieldErrors } from '../records/fixed-fields.ts';
import { type Done, perform } from '../records/perform.ts';
import { type PreparedWrite, prepareWrite, type Success } from '../records/prepare.ts';
import type { Records } from '../records/store.ts';
import type { Effect, Once, Origin } from '../records/write.ts';
import { type BodyRules, type OtherErrors, parseBody, readBody } from './body.ts';
import { enter, workOn } from './capacity.ts';
import {
  type Endpoint,
  endpointOf,
  type Handler,
  handlerOf,
  type NoInput,
  readableBy,
  requireKey,
} from './endpoint.ts';
import { type List, pagesOf, pageText } from './read-handlers.ts';
import { isImport, keyOf, onceOf, versionsOf } from './preconditions.ts';
import { refuseQuery } from './query.ts';
import { jsonHeaders, type JsonResponse, respond } from './responses.ts';
import type { Env, RequestEnv } from './service.ts';

type JsonInput<T> = { in: { json: T }; out: { json: T } };

/** An endpoint that writes, for a request or an operation of a batch. */
export interface WriteEndpoint extends Endpoint {
  /** Absent if no body is read. */
  readonly rules?: BodyRules;
}

export const writeEndpoint = (endpoint: Endpoint): WriteEndpoint => {
  const { operation, table } = endpoint;
  const { body } = operation;
  if (!body) return endpoint;
  const rules = { ...bodies[body](table, operation), maxBytes: table.maxBody, mediaTypes: mediaTypes[body] };
  return { ...endpoint, rules };
};

/** The rules of the body of an endpoint, in a request that may be of an import. */
export function rulesOf({ incoming }: RequestEnv, { rules }: WriteEndpoint): BodyRules | undefined {
  const isOfImport = isImport(incoming.headers['import']);
  return isOfImport && rules?.importSchema ? { ...rules, schema: rules.importSchema } : rules;
}

/** Whether the response shows a record or a list that may be longer than the body. */
export const showsStored = ({ operation: { response, body } }: Endpoint): boolean =>
  response !== 'deleted' && body !== 'create';

/** Makes the handler of a write. */
function writeHandler<S extends Success, Input extends object, R>(
  table: Table,
  name: string,
  finish: (c: Context<Env>, done: Done<S>) => R | Promise<R>,
): Handler<Input, R> {
  const endpoint = writeEndpoint(endpointOf(table, name));
  return handlerOf(endpoint, async (c) => finish(c, await write<S>(c, endpoint)));
}

/** Checks a request, and does what it asks for. */
async function write<S extends Success>({ env, req }: Context<Env>, endpoint: WriteEndpoint): Promise<Done<S>> {
  refuseQuery(req.url);
  const { table, operation } = endpoint;
  const rules = rulesOf(env, endpoint);
  const versions = versionsOf(env.incoming.headers['if-match'], operation);
  const key = keyOf(env);
  const { records } = env.principal;
  const response = showsStored(endpoint) ? table.maxBody : 0;
  const bytes = rules && (await readBody(env, rules, response));
  if (response > 0) await enter(env, response);
  return workOn(env, Math.max(bytes?.length ?? 0, mayBeLarge(table) ? response : 0), async () => {
    const id = req.param('id') ?? '';
    const othersIn = otherErrors(endpoint, records, id);
    const body = rules && bytes && (await parseBody(bytes, rules, key !== undefined, othersIn));
    if (bytes) await requireKey(env);
    const request = { records, actor: env.principal.name, table, id, body: body?.value, versions };
    const prepared = (await prepareWrite(operation, request)) as PreparedWrite<S>;
    const origin = originOf(env, onceOf(env, key, req.path, body?.digest));
    const done = await perform(env.pipeline, records, prepared, readableBy(env), origin);
    noteReplay(env, done);
    return done;
  });
}

/** The errors that a body has beside those of its schema. @param id of the record that is written */
export const otherErrors = ({ table, operation }: Endpoint, records: Records, id: string): OtherErrors | undefined =>
  operation.name === 'update' ? (sent) => fixedFieldErrors(records, table, id, sent) : undefined;

/** The origin of the writes of a request. */
export const originOf = ({ outgoing, principal }: RequestEnv, once?: Once): Origin => ({
  actor: principal.name,
  requestId: outgoing.requestId,
  time: currentTime(),
  once,
});

/** Has the response say that it is that of an earlier request. */
export function noteReplay({ outgoing }: RequestEnv, { isReplayed }: { readonly isReplayed: boolean }): void {
  if (isReplayed) outgoing.replayed = true;
}

const Reorder = z.strictObject({
  items: z
    .array(z.strictObject({ id: text(), idx: integer() }))
    .min(1)
    .max(maxListLimit),
});

type RulesOf = (
  table: Table,
  operation: ResourceOperation,
) => Pick<BodyRules, 'schema' | 'importSchema' | 'maxValues' | 'isOptional' | 'free'>;

const bodies: Readonly<Record<BodyName, RulesOf>> = {
  create: (table) => ({
    schema: creatable(schemaOf(table)),
    importSchema: importable(schemaOf(table)),
    ...valuesOf(table.columns),
  }),
  update: (table) => ({ schema: updatable(schemaOf(table)), ...valuesOf(table.columns) }),
  // Three for each item: with three times as many, the response to too many items still has their number.
  reorder: () => ({ schema: Reorder, maxValues: 10 * maxListLimit }),
  input: (_, { transition }) => {
    if (!transition?.input) throw new Error('Only a transition with an input takes one.');
    // Calls of clients that know of no input stay valid, unless something is required: then the response names it.
    return { schema: creatable(schemaOf(transition)), ...valuesOf(transition.input), isOptional: true };
  },
};

/**
 * A body has at most one value for each field, or a list, or one of any form: with so many more, the response to a wrong one still
 * has all of its errors.
 */
const valuesOf = (columns: readonly Column[]): Pick<BodyRules, 'maxValues' | 'free'> => ({
  maxValues: columns.reduce((sum, { maxItems = 0, maxBytes = 0 }) => sum + 2 * (1 + maxItems) + maxBytes, 100),
  free: freeFields(columns),
});

/**
 * Responds 201 with the new record and its `Location`.
 *
 * @param _body the type of the body; its schema follows from the table
 */
export const create = <T, B extends object>(
  table: Table<T>,
  _body: z.ZodType<B>,
): Handler<JsonInput<B>, JsonResponse<T, 201>> =>
  writeHandler<'written', JsonInput<B>, JsonResponse<T, 201>>(table, 'create', (c, { effect, id }) =>
    respond(c, effect, 201, { ...jsonHeaders, Location: `${c.env.pathPrefix}${c.req.path}/${id}` }),
  );

/** Responds 200 with the record as it is now. */
const changing = <T, Input extends object>(table: Table<T>, name: string): Handler<Input, JsonResponse<T>> =>
  writeHandler<'written', Input, JsonResponse<T>>(table, name, (c, { effect }) => respond(c, effect));

/** Responds 200 with the record as it is now. See `create`. */
export const update = <T, B extends object>(
  table: Table<T>,
  _body: z.ZodType<B>,
): Handler<JsonInput<B>, JsonResponse<T>> => changing(table, 'update');

/** Does an operation without a body: a transition, by its name. Responds 200 with the record as it is now. */
export const change: <T>(table: Table<T>, name: string) => Handler<NoInput, JsonResponse<T>> = changing;

/** Does an operation with an input. See `change` and `create`. */
export const changeWith = <T, S extends Shape>(
  table: Table<T>,
  name: string,
  _input: z.ZodObject<S>,
): Handler<JsonInput<CreateBody<S>>, JsonResponse<T>> => changing(table, name);

/** Responds 200 with the id of the deleted record. */
export const remove = <T>(table: Table<T>): Handler<NoInput, JsonResponse<{ id: string; deleted: true }>> =>
  writeHandler<'deleted', NoInput, JsonResponse<{ id: string; deleted: true }>>(table, 'delete', (c, { id }) =>
    respond(c, deletedText(id)),
  );

/** The JSON of the response to a delete. */
const deletedText = (id = ''): string => JSON.stringify({ id, deleted: true });

/** The JSON of the response to a write that needs no other read. */
export function bodyText(id: string | undefined, effect: Effect): string {
  if (effect.outcome === 'written') return effect.json;
  if (effect.outcome === 'deleted') return deletedText(id);
  if (!effect.page) throw new Error('A reorder in a batch returned no page.');
  return pageText(effect.page);
}

/** Gives line items of one parent a new order; responds 200 with the parent's list in that order. */
export const reorder = <T>(table: Table<T>): Handler<JsonInput<z.infer<typeof Reorder>>, JsonResponse<List<T>>> => {
  const respondPage = pagesOf(table);
  return writeHandler<'reordered', JsonInput<z.infer<typeof Reorder>>, JsonResponse<List<T>>>(
    table,
    'reorder',
    (c, { effect: { parent, page } }) =>
      page ? respond(c, pageText(page)) : respondPage(c, { limit: maxListLimit, offset: 0, where: parent }),
  );
};
