import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Context } from 'hono';
import { z } from 'zod';
import { ApiError, errorCodes, invalidBody, uriTooLong } from '../model/errors.ts';
import { maxBatchBytes, maxBatchOperations, maxBatchResults, maxBatchValues, maxTargetBytes } from '../model/limits.ts';
import { performAll, type PreparedWrite, prepareWrite } from '../records/perform.ts';
import type { Env, RequestEnv } from './service.ts';
import { type Effect, type Json, maxPageBytes } from '../records/store.ts';
import { readBody } from './body.ts';
import { largeBytes, reserve } from './capacity.ts';
import type { Endpoint, Handler, NoInput } from './endpoint.ts';
import type { FoundWrite } from './find-write.ts';
import { endOfList, startOfList } from './handlers.ts';
import { checkPart, parseBody } from './parse-body.ts';
import { refuseQuery } from './query.ts';
import { resolved, wrongReferences } from './references.ts';
import { respond } from './responses.ts';
import { deletedText, inTurn, requireKey, showsStored } from './write-handlers.ts';

/** Milliseconds for which operations are prepared before other requests have their turn. */
const turnDuration = 5;

const Batch = z.strictObject({
  operations: z
    .array(
      z.strictObject({
        method: z.enum(['POST', 'PATCH', 'DELETE']),
        path: z.string(),
        body: z.unknown().optional(),
      }),
    )
    .min(1)
    .max(maxBatchOperations),
});

type Operation = z.infer<typeof Batch>['operations'][number];

/** Finds the write that a method and a path without its query name. @throws ApiError as a request of its own is answered */
type FindWrite = (env: RequestEnv, method: string, path: string) => FoundWrite;

/** An operation, and what is known of it before any other is done. */
interface Prepared {
  readonly endpoint: Endpoint;
  readonly prepared: PreparedWrite;
}

/**
 * Does writes of this API in their order, all or none; answers 200 with the status and the body of each. An operation that
 * fails is answered as a request of its own, with its place.
 */
export const batch =
  (findWrite: FindWrite): Handler<NoInput, Response> =>
  async (c) => {
    refuseQuery(c.req.url);
    const bytes = await readBody(c.env, maxBatchBytes, ['application/json']);
    const { length } = bytes;
    const { operations } = await inTurn(c, length, () => parseBody(bytes, Batch, maxBatchValues));
    requireShortPaths(operations);
    const endpoints = operations.map(({ method, path }) => findEndpoint(c.env, findWrite, method, path));
    // An operation that is no write of this API fails by itself.
    const errors = wrongReferences(operations, (at) => (endpoints[at]?.operation.status ?? 201) === 201);
    if (errors.length > 0) throw invalidBody(errors);
    const most = c.env.capacity.memory.limit / 4;
    const shortResults = maxShortResults(endpoints);
    if (shortResults !== undefined) await reserve(c.env, Math.max(length, shortResults));
    let preparation: Awaited<ReturnType<typeof prepareAll>> | undefined;
    const attempt = async (maxBytes: number | undefined): Promise<Response | undefined> => {
      await requireKey(c.env);
      preparation ??= await prepareAll(c.env, operations, findWrite);
      const { all, failure } = preparation;
      const writes = all.map(({ prepared }) => prepared);
      const effects = await performAll(c.env.records, writes, failure, maxBytes);
      return (
        effects && respond(c, await answerOf(effects.map((effect, at) => resultText(all[at] as Prepared, effect))))
      );
    };
    const response = await inTurn(c, Math.max(length, reordered(c, endpoints)), () => attempt(shortResults));
    // Records that are far longer than what is known of them.
    return response ?? ((await inTurn(c, Math.max(length, most), () => attempt(maxBatchResults))) as Response);
  };

/** Long paths would take seconds to be matched. @throws ApiError `uri_too_long` (414) */
function requireShortPaths(operations: readonly Operation[]): void {
  const at = operations.findIndex(({ path }) => path.length > maxTargetBytes);
  if (at !== -1) throw uriTooLong().ofOperation(at);
}

const withoutQuery = (path: string): string => path.split('?', 1)[0] as string;

function findEndpoint(env: RequestEnv, findWrite: FindWrite, method: string, path: string): Endpoint | undefined {
  try {
    return findWrite(env, method, withoutQuery(path)).endpoint;
  } catch {
    return undefined;
  }
}

type Endpoints = readonly (Endpoint | undefined)[];

/** Bytes of results that are tried first, where records or lists that are stored are among them. */
function maxShortResults(endpoints: Endpoints): number | undefined {
  if (!endpoints.some((endpoint) => endpoint && showsStored(endpoint))) return undefined;
  return Math.min(maxPageBytes, endpoints.length * largeBytes);
}

/** The work on lists that reorders answer with. */
function reordered({ env: { capacity } }: Context<Env>, endpoints: Endpoints): number {
  const bytes = endpoints.map((endpoint) =>
    endpoint?.operation.response === 'list' ? capacity.estimate(endpoint.table) : 0,
  );
  return Math.min(
    bytes.reduce((sum, one) => sum + one, 0),
    capacity.memory.limit / 4,
  );
}

/**
 * Prepares operations until one fails.
 *
 * @returns those before it, and its error
 */
async function prepareAll(
  env: RequestEnv,
  operations: readonly Operation[],
  findWrite: FindWrite,
): Promise<{ readonly all: readonly Prepared[]; readonly failure: ApiError | undefined }> {
  const all: Prepared[] = [];
  let turnEnd = performance.now() + turnDuration;
  for (const { method, ...operation } of operations) {
    if (performance.now() > turnEnd) {
      await nextTurn();
      turnEnd = performance.now() + turnDuration;
    }
    const ids = all.map(({ prepared }) => prepared.id ?? '');
    try {
      all.push(await prepare(env, method, resolved(operation, ids), findWrite));
    } catch (error) {
      if (!(error instanceof ApiError) || errorCodes[error.code].status >= 500) throw error;
      return { all, failure: error.ofOperation(all.length) };
    }
  }
  return { all, failure: undefined };
}

/** Checks an operation as its own request is checked. */
async function prepare(
  env: RequestEnv,
  method: string,
  { path, body }: Pick<Operation, 'path' | 'body'>,
  findWrite: FindWrite,
): Promise<Prepared> {
  if (path.length > maxTargetBytes) throw uriTooLong();
  const { endpoint, id } = findWrite(env, method, withoutQuery(path));
  refuseQuery(path);
  const { table, operation, rules } = endpoint;
  const checked = rules && checkPart(body, rules.schema, rules.limits);
  const prepared = await prepareWrite(operation, { records: env.records, table, id, body: checked });
  return { endpoint, prepared };
}

/** The answer; a long one is encoded a result at a time, so that other requests have their turn. */
async function answerOf(results: readonly string[]): Promise<Json> {
  const start = '{"results":[';
  const end = ']}';
  if (results.reduce((sum, { length }) => sum + length, 0) <= maxPageBytes) return start + results.join() + end;
  const parts: Buffer[] = [];
  for (const [at, result] of results.entries()) {
    parts.push(Buffer.from(at === 0 ? start : ','), Buffer.from(result));
    if (result.length > largeBytes) await nextTurn();
  }
  return Buffer.concat([...parts, Buffer.from(end)]);
}

/** The result of an operation. */
function resultText({ endpoint, prepared }: Prepared, effect: Effect): string {
  return `{"status":${endpoint.operation.status},"body":${bodyText(prepared, effect)}}`;
}

function bodyText({ id }: PreparedWrite, effect: Effect): string {
  if (effect.outcome === 'written') return effect.json;
  if (effect.outcome === 'deleted') return deletedText(id);
  if (!effect.page) throw new Error('A reorder in a batch returned no page.');
  return startOfList + effect.page.items + endOfList(effect.page);
}
