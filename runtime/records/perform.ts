import { ApiError, errorCodes, overloaded, unavailable } from '../model/errors.ts';
import { currentTime } from '../model/ids.ts';
import { inTurn } from '../model/in-turn.ts';
import { maxBatchResults } from '../model/limits.ts';
import { type Hook, hookAfter, hookBefore } from './hooks.ts';
import { maxAttempts, maxRepetition } from './limits.ts';
import type { EffectOf, PreparedWrite, Success } from './prepare.ts';
import { replayed, resultsTooLarge } from './replay.ts';
import type { Records } from './store.ts';
import type { Event } from './undo.ts';
import { type Part, UnitOfWork } from './unit-of-work.ts';
import { errorOf, type IsReadable } from './write-errors.ts';
import type { Effect, Once, Origin, Write, WriteRejection, WriteResult } from './write.ts';

/** A write that was done. */
export interface Done<S extends Success> {
  readonly effect: EffectOf<S>;
  /** The id of the record that it creates or deletes. */
  readonly id: string | undefined;
  /** Whether an earlier request has done it. */
  readonly isReplayed: boolean;
}

/**
 * Performs a write.
 *
 * @throws ApiError if the write is not done; see the function that has prepared it. `idempotency_key_reused` (422)
 */
export async function perform<S extends Success>(
  records: Records,
  prepared: PreparedWrite<S>,
  isReadable: IsReadable,
  origin?: Origin,
): Promise<Done<S>> {
  const { table, write } = prepared;
  if (hookBefore(table, write)) {
    const done = await performAll({ records, writes: [prepared], isReadable, origin });
    const { effects, ids, isReplayed } = done as DoneBatch;
    return { effect: effects[0] as EffectOf<S>, id: ids[0], isReplayed };
  }
  // In a batch, a reorder shows the list as it has left it: a later request would find another one.
  const isBatch = origin?.once !== undefined && write.op === 'reorder';
  const sent: Write = isBatch ? { op: 'batch', table: table.name, writes: [write], isTrial: false } : write;
  const { result, ids, isReplayed } = await writeOnce(records, sent, [prepared.id], origin);
  const [single] = result.outcome === 'done' ? result.results : [result.outcome === 'refused' ? result.reason : result];
  if (single?.outcome !== prepared.success) throw errorOf(prepared, single as WriteRejection, isReadable);
  return { effect: single as EffectOf<S>, id: ids[0], isReplayed };
}

/** The result of a write, and the ids that `PreparedWrite` has. */
interface Answer extends Pick<Once, 'ids'> {
  readonly result: WriteResult;
}

/** Does a write, unless it was done by an earlier request with the same key. @throws ApiError `idempotency_key_reused` (422) */
async function writeOnce(
  records: Records,
  write: Write,
  ids: Once['ids'],
  origin: Origin | undefined,
): Promise<Answer & { readonly isReplayed: boolean }> {
  // A single record may be longer than the results of a batch.
  const maxResults = write.op === 'batch' ? write.maxResults : Infinity;
  const once = origin?.once && { ...origin.once, ids };
  if (!once) return { result: await records.write(write, origin), ids, isReplayed: false };
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const result = await records.write(write, { ...origin, once });
    if (result.outcome !== 'repeated') return { result, ids, isReplayed: false };
    const stored = await storedAnswer(records, once, origin.time, maxResults);
    if (stored) return { ...stored, isReplayed: true };
    // The answer has just become too old.
  }
  throw unavailable('The answer to the first request with this Idempotency-Key is gone. Try again.');
}

/** The answer to the same request. @throws ApiError `idempotency_key_reused` (422) if it was another one */
async function storedAnswer(
  records: Records,
  once: Once,
  time: string,
  maxResults = maxBatchResults,
): Promise<Answer | undefined> {
  // That of a batch may be far longer than the results for which there is room.
  const stored = await records.answer(once, time, maxResults < maxBatchResults ? maxResults : undefined);
  if (!stored) return undefined;
  if (stored.digest === once.digest) {
    const { result = resultsTooLarge, ids = [] } = stored.answer ?? {};
    return { result: result.outcome === 'refused' ? result : await replayed(records, result, maxResults), ids };
  }
  throw new ApiError('idempotency_key_reused', `Another request was sent with the Idempotency-Key ${once.key}.`);
}

/** Writes that were done: see `Done`. */
export interface DoneBatch {
  readonly effects: readonly Effect[];
  readonly ids: Once['ids'];
  readonly isReplayed: boolean;
}

/** Writes that are done together. */
export interface WriteRequest {
  readonly records: Records;
  readonly writes: readonly PreparedWrite[];
  /** The hook whose writes are done, and the event that it is called after. */
  readonly after?: { readonly hook: Hook; readonly event: Event };
  /** Whether errors name the places of their writes. */
  readonly isBatch?: true;
  /** The error of a write that would follow them: none is done then. */
  readonly next?: ApiError | undefined;
  /** Bytes that the results may have together; `maxBatchResults` without it. */
  readonly maxResults?: number;
  readonly isReadable: IsReadable;
  readonly origin?: Origin | undefined;
}

/**
 * Calls the hook after an event, if there is one. Its writes are done once, however often it is called within a day.
 *
 * @throws the errors of the hook. ApiError if its writes cannot be done
 */
export async function performAfter(records: Records, event: Event): Promise<void> {
  const { number, resource, operation, actor, request_id: requestId } = event;
  const table = records.tables.find(({ path }) => path === resource);
  const hook = table && hookAfter(table, operation);
  if (!hook) return;
  const once = { owner: hook.name, key: String(number), digest: '', ids: [] };
  const origin = { actor, requestId, time: currentTime(), once };
  await performAll({ records, writes: [], after: { hook, event }, isReadable: () => true, origin });
}

/**
 * Performs writes in their order, all or none, with their hooks. These run again if a record that they have read was changed
 * meanwhile.
 *
 * @returns undefined if the results are too long, but not longer than `maxBatchResults` so far: then nothing is done
 * @throws ApiError of the first write that fails. `idempotency_key_reused` (422), `overloaded` (503)
 */
export async function performAll(request: WriteRequest): Promise<DoneBatch | undefined> {
  const first = await tryAll(request);
  if (!first || !('outdated' in first)) return first;
  const deadline = performance.now() + maxRepetition;
  // One after the other: otherwise each of many requests could only succeed after all those before it. A hook after an event may
  // take long, and has no request wait for it.
  return inTurn(request.after ? `after ${first.outdated}` : first.outdated, async () => {
    while (performance.now() < deadline) {
      const next = await tryAll(request);
      if (!next || !('outdated' in next)) return next;
    }
    throw overloaded('Other requests change the same records: nothing was done.');
  });
}

/** Attempts to do writes. @returns also the id of a record that has changed since a hook has read it: then nothing is done */
async function tryAll(request: WriteRequest): Promise<DoneBatch | { readonly outdated: string } | undefined> {
  const { records, writes, maxResults = maxBatchResults, isReadable, origin } = request;
  const unit = new UnitOfWork(records, origin?.actor ?? null);
  const failure = (await addAll(unit, request)) ?? request.next;
  const { parts, guards } = unit;
  const [first] = parts;
  if (!first) {
    if (request.after) return { effects: [], ids: [], isReplayed: false };
    // The hooks may refuse now what they have allowed the first request.
    const stored = origin?.once && (await storedAnswer(records, origin.once, origin.time, maxResults));
    if (!stored) throw failure ?? new Error('There are no writes.');
    return stored.result.outcome === 'refused' ? undefined : doneOf(stored, true);
  }
  const hidden = parts.flatMap(({ hook }, i) => (hook === undefined ? [] : [i]));
  const batch: Write = {
    op: 'batch',
    table: first.table.name,
    writes: parts.map(({ write }) => write),
    isTrial: failure !== undefined,
    maxResults,
    ...(guards.length > 0 && { guards }),
    ...(hidden.length > 0 && { hidden }),
  };
  if (request.after) await requireEvent(records, request.after.event);
  const ids = writes.map(({ id }) => id);
  const { isReplayed, ...answer } = await writeOnce(records, batch, ids, origin);
  const { result } = answer;
  if (result.outcome === 'outdated') return { outdated: result.id };
  if (result.outcome !== 'refused') return doneOf(answer, isReplayed);
  const { at, reason } = result;
  if (reason?.outcome === 'results_too_large' && maxResults < maxBatchResults) return undefined;
  if (!reason) throw failure;
  const part = parts[at] as Part;
  const error = errorOf(part, reason, isReadable);
  throw placed(request, part.at, part.hook === undefined ? error : errorOfHook(part.hook, error));
}

/**
 * Keeps a hook that was called before its organization was deleted from writing after that: `deleteOrganization` removes events,
 * and then waits as long as a write can take.
 */
async function requireEvent(records: Records, { number }: Event): Promise<void> {
  const { events } = await records.events({ number, limit: 1 });
  if (events.length === 0) throw new Error('The event was removed, perhaps with its organization: nothing was done.');
}

/** The effects of a result, also of a request before its resource had hooks. */
const doneOf = ({ result, ids }: Answer, isReplayed: boolean): DoneBatch => ({
  effects: result.outcome === 'done' ? result.results : [result as Effect],
  ids,
  isReplayed,
});

/** Adds writes until one fails. @returns its error. @throws those of the service itself */
async function addAll(unit: UnitOfWork, request: WriteRequest): Promise<ApiError | undefined> {
  if (request.after) await unit.follow(request.after.hook, request.after.event);
  for (const [at, prepared] of request.writes.entries()) {
    try {
      await unit.add(prepared, at);
    } catch (error) {
      if (!(error instanceof ApiError) || errorCodes[error.code].status >= 500) throw error;
      return placed(request, at, error);
    }
  }
  return undefined;
}

const placed = ({ isBatch }: WriteRequest, at: number, error: ApiError): ApiError =>
  isBatch ? error.ofOperation(at) : error;

/** The error of a write that a hook adds: a conflict, a rule that the request breaks by it, or a bug of the hook. */
function errorOfHook(hook: string, { code, message, headers, extensions }: ApiError): ApiError {
  if (errorCodes[code].status === 409 || code === 'rule_violated') {
    // The body has none of the fields.
    const errors = extensions.errors?.map((error) => ({ ...error, pointer: '' }));
    return new ApiError(code, message, { headers, ...extensions, ...(errors && { errors }) });
  }
  return new ApiError('internal', 'The server failed to process the request.', {
    cause: new Error(`A write of ${hook} failed: ${message}`),
  });
}
