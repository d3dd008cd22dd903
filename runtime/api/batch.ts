import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Params } from 'hono/router';
import { TrieRouter } from 'hono/router/trie-router';
import { z } from 'zod';
import { ApiError, errorCodes, invalidBody, uriTooLong } from '../model/errors.ts';
import { etagOf } from '../model/etag.ts';
import { text } from '../model/fields.ts';
import {
  maxBatchBytes,
  maxBatchOperations,
  maxBatchResults,
  maxBatchValues,
  maxHeaderBytes,
  maxTargetBytes,
} from '../model/limits.ts';
import { batchPath } from '../model/operations.ts';
import type { Table } from '../model/table.ts';
import { performAll } from '../records/perform.ts';
import { type PreparedWrite, prepareWrite } from '../records/prepare.ts';
import type { RequestEnv } from './service.ts';
import { maxPageBytes } from '../records/limits.ts';
import type { ItemStream } from '../records/page.ts';
import type { Effect } from '../records/write.ts';
import { type BodyRules, checkPart, parseBody, readBody } from './body.ts';
import { acquire, workOn } from './capacity.ts';
import { largeBytes } from './limits.ts';
import { endpointsOf, type Handler, type NoInput, readableBy, requirePermission } from './endpoint.ts';
import { pageText } from './read-handlers.ts';
import { keyOf, onceOf, versionsOf } from './preconditions.ts';
import { refuseQuery } from './query.ts';
import { type Parts, resolved, wrongReferences } from './references.ts';
import { type Body, respond } from './responses.ts';
import {
  deletedText,
  noteReplay,
  originOf,
  otherErrors,
  requireKey,
  showsStored,
  type WriteEndpoint,
  writeEndpoint,
} from './write-handlers.ts';

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

/**
 * Does writes of this API in their order, all or none; responds 200 with the status and the body of each. An operation that
 * fails has the response of a request of its own, with its place.
 *
 * @param noRoute makes the error of a request that no route matches
 */
export function batch(
  tables: readonly Table[],
  noRoute: (method: string, path: string) => ApiError,
): Handler<NoInput, Response> {
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
    // Most results are no longer than a page: no batch waits for their bytes with its body in memory.
    const bytes = await readBody(env, batchRules, maxPageBytes);
    const { length } = bytes;
    const { value, digest } = await workOn(env, length, () => parseBody(bytes, batchRules, key !== undefined));
    const { operations } = value;
    requireShortPaths(operations);
    const all = operations.map(find);
    const errors = wrongReferences(all, (at) => statusOf(all[at] as FoundOperation) === 201);
    if (errors.length > 0) throw invalidBody(errors);
    const shortResults = maxShortResults(all);
    if (shortResults < maxBatchResults) await acquire(env, Math.max(length, shortResults));
    const attempt = async (maxResults: number): Promise<Response | undefined> => {
      await requireKey(env);
      const { writes, failure } = await prepareAll(env, all, length > largeBytes);
      const origin = originOf(env, onceOf(env, key, batchPath, digest));
      const { records } = env.principal;
      const isReadable = readableBy(env);
      const done = await performAll({ records, writes, isBatch: true, next: failure, maxResults, isReadable, origin });
      if (!done) return undefined;
      noteReplay(env, done);
      const resultOf = (effect: Effect, at: number): string => {
        const etag = effect.outcome === 'written' ? `"etag":${JSON.stringify(etagOf(effect.version))},` : '';
        const status = statusOf(all[at] as FoundOperation);
        return `{"status":${status},${etag}"body":${bodyText(done.ids[at], effect)}}`;
      };
      return respond(c, bodyOf(done.effects.map(resultOf)));
    };
    const response = await workOn(env, length, () => attempt(shortResults));
    return response ?? ((await workOn(env, maxBatchResults, () => attempt(maxBatchResults))) as Response);
  };
}

/** Long paths would take seconds to be matched. @throws ApiError `uri_too_long` (414) */
function requireShortPaths(operations: readonly BatchOperation[]): void {
  const at = operations.findIndex(({ path }) => path.length > maxTargetBytes);
  if (at !== -1) throw uriTooLong().ofOperation(at);
}

/** The status of an operation that succeeds. One that is no write of this API fails by itself, and no reference to it does. */
const statusOf = ({ endpoint }: FoundOperation): number =>
  endpoint instanceof ApiError ? 201 : endpoint.operation.status;

/** Bytes of results that are tried first, if records or lists that are stored are among them: few batches have more. */
function maxShortResults(all: readonly FoundOperation[]): number {
  const areStored = all.some(({ endpoint }) => !(endpoint instanceof ApiError) && showsStored(endpoint));
  return areStored ? Math.min(maxPageBytes, all.length * largeBytes) : maxBatchResults;
}

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
      if (!(error instanceof ApiError) || errorCodes[error.code].status >= 500) throw error;
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
  const { table, operation, rules, permission } = endpoint;
  requirePermission(env, permission);
  refuseQuery(path);
  const { records } = env.principal;
  const checked = rules && (await checkPart(body, rules, otherErrors(endpoint, records, id)));
  const versions = versionsOf(ifMatch, operation);
  return prepareWrite(operation, { records, table, id, body: checked, versions });
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

export function bodyText(id: string | undefined, effect: Effect): string {
  if (effect.outcome === 'written') return effect.json;
  if (effect.outcome === 'deleted') return deletedText(id);
  if (!effect.page) throw new Error('A reorder in a batch returned no page.');
  return pageText(effect.page);
}
