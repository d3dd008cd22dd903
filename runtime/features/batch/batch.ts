import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Params } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';
import { z } from 'zod';
import { ApiError, invalidBody, uriTooLong } from '../../kernel/model/errors.ts';
import { etagOf } from '../../kernel/model/etag.ts';
import { text } from '../../kernel/model/fields.ts';
import {
  maxBatchBytes,
  maxBatchOperations,
  maxBatchResults,
  maxBatchValues,
  maxHeaderBytes,
  maxJsonDepth,
  maxTargetBytes,
} from '../../kernel/model/limits.ts';
import { batchPath } from '../../kernel/model/operations.ts';
import { freeFields, type Table } from '../../kernel/model/table.ts';
import { keepTexts, membersOf } from '../../kernel/values/json-text.ts';
import { performAll } from '../../kernel/records/perform.ts';
import { type PreparedWrite, prepareWrite } from '../../kernel/records/prepare.ts';
import { noRouteIn } from '../../kernel/api/app.ts';
import type { RequestEnv, Routes } from '../../kernel/api/service.ts';
import { maxPageBytes } from '../../kernel/records/limits.ts';
import type { ItemStream } from '../../kernel/records/page.ts';
import type { Effect } from '../../kernel/records/write.ts';
import { type BodyRules, checkPart, parseBody, readBody, textOf } from '../../kernel/api/body.ts';
import { digestWith } from '../../kernel/api/json.ts';
import { enter, enterLongest, workOn } from '../../kernel/api/capacity.ts';
import { largeBytes } from '../../kernel/api/limits.ts';
import {
  endpointsOf,
  type Handler,
  type NoInput,
  readableBy,
  requireKey,
  requirePermission,
} from '../../kernel/api/endpoint.ts';
import { keyOf, onceOf, versionsOf } from '../../kernel/api/preconditions.ts';
import { refuseQuery } from '../../kernel/api/query.ts';
import { type Parts, resolved, wrongReferences } from './references.ts';
import { type Body, respond } from '../../kernel/api/responses.ts';
import {
  bodyText,
  noteReplay,
  originOf,
  otherErrors,
  rulesOf,
  showsStored,
  type WriteEndpoint,
  writeEndpoint,
} from '../../kernel/api/write-handlers.ts';

const Batch = z.strictObject({
  operations: z
    .array(
      z.strictObject({
        method: z.enum(['POST', 'PATCH', 'DELETE']),
        path: z.string(),
        body: z.unknown().optional(),
        // As long as a header can be: the tags of a longer one would take seconds to be parsed.
        if_match: text({ max: maxHeaderBytes }).optional(),
      }),
    )
    .min(1)
    .max(maxBatchOperations),
});

const batchRules: BodyRules<z.infer<typeof Batch>> = {
  schema: Batch,
  maxValues: maxBatchValues,
  maxBytes: maxBatchBytes,
  mediaTypes: ['application/json'],
};

type BatchOperation = z.infer<typeof Batch>['operations'][number];

/** An operation and the write that it names, or the error of one that names none. */
interface FoundOperation extends Parts {
  readonly path: string;
  readonly ifMatch: string | undefined;
  readonly endpoint: WriteEndpoint | ApiError;
}

/** Creates whose results together are seldom large: each shows all fields of a record, also those that its body has not. */
const maxShortBatch = 20;

/** Adds the route of batches. */
export const mountBatch: Routes = (app, { tables }) => void app.post(batchPath, batch(tables, noRouteIn(app)));

/**
 * Does writes of this API in their order, all or none; responds 200 with the status and the body of each. An operation that
 * fails has the response of a request of its own, with its place.
 *
 * @param noRoute makes the error of a request that no route matches
 */
function batch(
  tables: readonly Table[],
  noRoute: (method: string, path: string) => ApiError,
): Handler<NoInput, Response> {
  const hasFree = tables.some(({ columns }) => freeFields(columns).length > 0);
  const router = new TrieRouter<WriteEndpoint>();
  for (const endpoint of tables.flatMap(endpointsOf)) {
    const { method } = endpoint.operation;
    if (method !== 'GET') router.add(method, endpoint.pattern, writeEndpoint(endpoint));
  }
  const errorOf = (method: string, path: string): ApiError =>
    path === batchPath
      ? new ApiError('not_found', 'A batch cannot be an operation of a batch.')
      : noRoute(method, path);
  const find = ({ method, path, body, if_match: ifMatch }: BatchOperation): FoundOperation => {
    const [plain = ''] = path.split('?', 1);
    const match = plain.startsWith('/') ? router.match(method, plain)[0][0] : undefined;
    const { id = '' } = (match?.[1] ?? {}) as Params;
    return { path, endpoint: match?.[0] ?? errorOf(method, plain), id, body, ifMatch };
  };
  return async (c) => {
    const { env } = c;
    // Each operation requires a permission of its own.
    env.outgoing.pattern = batchPath;
    refuseQuery(c.req.url);
    versionsOf(env.incoming.headers['if-match']);
    const key = keyOf(env);
    const bytes = await readBody(env, batchRules);
    const { length } = bytes;
    const json = hasFree ? textOf(bytes) : '';
    const depth = maxJsonDepth + (hasFree ? levelsAbove : 0);
    const { value, digest } = await workOn(env, length, () =>
      parseBody(bytes, batchRules, key !== undefined, undefined, depth),
    );
    const { operations } = value;
    requireShortPaths(operations);
    const found = operations.map(find);
    const all = hasFree ? withTexts(found, json) : found;
    const errors = wrongReferences(all, (at) => statusOf(all[at] as FoundOperation) === 201);
    if (errors.length > 0) throw invalidBody(errors);
    const bodies = all.map(({ body }) => body);
    let failed: ApiError | undefined;
    const attempt = async (maxResults: number): Promise<Response> => {
      await requireKey(env);
      const { writes, failure } = await prepareAll(env, all, length > largeBytes);
      failed = failure;
      const origin = originOf(env, onceOf(env, key, batchPath, digestWith(digest, bodies)));
      const { records } = env.principal;
      const isReadable = readableBy(env);
      const request = { records, writes, isBatch: true, next: failure, maxResults, isReadable, origin } as const;
      const done = await performAll(env.pipeline, request);
      noteReplay(env, done);
      const resultOf = (effect: Effect, at: number): string => {
        const etag = effect.outcome === 'written' ? `"etag":${JSON.stringify(etagOf(effect.version))},` : '';
        const status = statusOf(all[at] as FoundOperation);
        return `{"status":${status},${etag}"body":${bodyText(done.ids[at], effect)}}`;
      };
      return respond(c, bodyOf(done.effects.map(resultOf)));
    };
    if (!all.some(showsRecords)) {
      if (all.length > maxShortBatch) await enter(env, Math.max(length, largeBytes));
      return workOn(env, length, () => attempt(maxBatchResults));
    }
    await enter(env, maxPageBytes);
    try {
      return await workOn(env, length, () => attempt(maxPageBytes));
    } catch (error) {
      // Its results are too long, and not an operation.
      if (error === failed || !(error instanceof ApiError) || error.code !== 'body_too_large') throw error;
    }
    await enterLongest(env);
    return workOn(env, maxBatchResults, () => attempt(maxBatchResults));
  };
}

/** Levels of a batch above the value of a field. */
const levelsAbove = 4;

/** Keeps the objects and arrays of fields that take any form as they were sent. @param json that of the batch */
function withTexts(operations: readonly FoundOperation[], json: string): readonly FoundOperation[] {
  const texts = membersOf(membersOf(json).get('operations') as string);
  return operations.map((operation, at) => {
    const { endpoint, body } = operation;
    const free = endpoint instanceof ApiError ? [] : (endpoint.rules?.free ?? []);
    if (free.length === 0 || typeof body !== 'object' || body === null || Array.isArray(body)) return operation;
    const sent = membersOf(texts.get(String(at)) as string).get('body') as string;
    return { ...operation, body: keepTexts(body as Readonly<Record<string, unknown>>, sent, free) };
  });
}

/** Long paths would take seconds to be matched. @throws ApiError `uri_too_long` (414) */
function requireShortPaths(operations: readonly BatchOperation[]): void {
  const at = operations.findIndex(({ path }) => path.length > maxTargetBytes);
  if (at !== -1) throw uriTooLong().ofOperation(at);
}

/** The status of an operation that succeeds. One that is no write of this API fails by itself, and no reference to it does. */
const statusOf = ({ endpoint }: FoundOperation): number =>
  endpoint instanceof ApiError ? 201 : endpoint.operation.status;

/** Whether the result of an operation may be far longer than its body: it seldom is, so that less room is tried first. */
const showsRecords = ({ endpoint }: FoundOperation): boolean =>
  !(endpoint instanceof ApiError) && showsStored(endpoint);

/**
 * Prepares operations until one fails.
 *
 * @param isLarge whether other requests have their turns between the operations
 * @returns the writes before it, and its error
 */
async function prepareAll(
  env: RequestEnv,
  all: readonly FoundOperation[],
  isLarge: boolean,
): Promise<{ readonly writes: readonly PreparedWrite[]; readonly failure: ApiError | undefined }> {
  const writes: PreparedWrite[] = [];
  const ids: string[] = [];
  for (const operation of all) {
    if (isLarge) await nextTurn();
    try {
      const write = await prepare(env, operation, resolved(operation, ids));
      writes.push(write);
      ids.push(write.id ?? '');
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      return { writes, failure: error.ofOperation(writes.length) };
    }
  }
  return { writes, failure: undefined };
}

/** Checks an operation as its own request is checked. */
async function prepare(
  env: RequestEnv,
  { endpoint, path, ifMatch }: FoundOperation,
  { id, body }: Parts,
): Promise<PreparedWrite> {
  if (endpoint instanceof ApiError) throw endpoint;
  const { table, operation } = endpoint;
  requirePermission(env, operation.action, table.path);
  refuseQuery(path);
  const { records, name: actor } = env.principal;
  const rules = rulesOf(env, endpoint);
  const checked = rules && (await checkPart(body, rules, otherErrors(endpoint, records, id)));
  const versions = versionsOf(ifMatch, operation);
  return prepareWrite(operation, { records, actor, table, id, body: checked, versions });
}

/**
 * The JSON of the results; if it is long, each is encoded when the one before it has left: encoded at once, four batches with
 * results of 30 MB took 470 to 520 MB of memory instead of 330 to 410.
 */
function bodyOf(results: readonly string[]): Body {
  const start = '{"results":[';
  const end = ']}';
  if (results.reduce((sum, { length }) => sum + length, 0) <= maxPageBytes) return start + results.join() + end;
  return { start, chunks: encoded(results), end, isCompressible: false };
}

async function* encoded(results: readonly string[]): ItemStream {
  for (const [at, result] of results.entries()) yield Buffer.from(at === 0 ? result : `,${result}`);
}
