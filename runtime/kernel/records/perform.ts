import { type ApiError, overloaded } from '../model/errors.ts';
import { inTurn } from '../model/in-turn.ts';
import { maxBatchResults } from '../model/limits.ts';
import { maxRepetition } from './limits.ts';
import type { EffectOf, PreparedWrite, Success } from './prepare.ts';
import type { Records } from './store.ts';
import { errorOf, wordsOf } from './write-errors.ts';
import type { IsReadable } from './write.ts';
import type { Answer, Unit, UnitWrite, WritePipeline, WriteRequest } from './write-pipeline.ts';
import type { Effect, Once, Origin, Write, WriteRejection } from './write.ts';

/** The steps of writes, without those of features. @param features have words for their rejections */
export const plainPipeline = (features: Parameters<typeof wordsOf>[0]): WritePipeline => ({
  words: wordsOf(features),
  compose: async ({ writes, next }) => ({ writes: writes.map((write, at) => ({ ...write, at })), failure: next }),
  commit: async (records, write, ids, origin) => {
    const isEmpty = write.op === 'batch' && write.writes.length === 0;
    const result = isEmpty ? nothingDone : await records.write(write, origin);
    return { result, ids, isReplayed: false };
  },
});

const nothingDone = { outcome: 'refused', at: 0, reason: undefined } as const;

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
 * @throws ApiError if the write is not done; see the function that has prepared it, and the features of the pipeline
 */
export async function perform<S extends Success>(
  pipeline: WritePipeline,
  records: Records,
  prepared: PreparedWrite<S>,
  isReadable: IsReadable,
  origin?: Origin,
): Promise<Done<S>> {
  const request = { records, writes: [prepared], isSingle: true, isReadable, origin } as const;
  const { effects, ids, isReplayed } = await performAll(pipeline, request);
  return { effect: effects[0] as EffectOf<S>, id: ids[0], isReplayed };
}

/** Writes that were done: see `Done`. */
export interface DoneBatch {
  readonly effects: readonly Effect[];
  readonly ids: Once['ids'];
  readonly isReplayed: boolean;
}

/**
 * Performs writes in their order, all or none, with those that features add. They are composed again if a record or a list that
 * they rely on was changed meanwhile.
 *
 * @param turns the name of the requests among which such repetitions take turns
 * @throws ApiError of the first write that fails; `body_too_large` (413) if the results are too long. `overloaded` (503)
 */
export async function performAll(pipeline: WritePipeline, request: WriteRequest, turns = ''): Promise<DoneBatch> {
  const first = await attempt(pipeline, request);
  if (!('outdated' in first)) return first;
  const deadline = performance.now() + maxRepetition;
  // One after the other: otherwise each of many requests could only succeed after all those before it.
  return inTurn(turns + first.outdated, async () => {
    while (performance.now() < deadline) {
      const next = await attempt(pipeline, { ...request, isRepeated: true });
      if (!('outdated' in next)) return next;
    }
    throw overloaded('Other requests change the same records: nothing was done.');
  });
}

/** Attempts to do writes. @returns also the name of what they rely on, and that has changed: then nothing is done */
async function attempt(
  pipeline: WritePipeline,
  request: WriteRequest,
): Promise<DoneBatch | { readonly outdated: string }> {
  const { records, isSingle, maxResults = maxBatchResults, isReadable, origin } = request;
  const unit = await pipeline.compose(request);
  const { writes, guards = [], lists = [], failure } = unit;
  const isUnguarded = guards.length + lists.length === 0;
  const single = isSingle && writes.length === 1 && isUnguarded && !failure ? writes[0] : undefined;
  const write = single?.write ?? batchOf(unit, maxResults);
  const ids = request.writes.map(({ id }) => id);
  const answer = await pipeline.commit(records, write, ids, origin);
  const { result } = answer;
  if (result.outcome === 'outdated') return { outdated: result.id };
  if (result.outcome === 'done' || result.outcome === single?.success) return doneOf(answer);
  const { at, reason } = result.outcome === 'refused' ? result : { at: 0, reason: result as WriteRejection };
  if (reason === undefined) {
    if (failure) throw failure;
    return { effects: [], ids, isReplayed: false };
  }
  const refused = writes[at] ?? ({ ...request.writes[0], at: 0 } as UnitWrite);
  const error = errorOf(pipeline.words, refused, reason, isReadable);
  throw placed(request, refused.at, refused.explain?.(error) ?? error);
}

const batchOf = ({ writes, guards = [], lists = [], failure }: Unit, maxResults: number): Write => {
  const hidden = writes.flatMap(({ explain }, i) => (explain === undefined ? [] : [i]));
  return {
    op: 'batch',
    table: writes[0]?.table.name ?? '',
    writes: writes.map(({ write }) => write),
    isTrial: failure !== undefined,
    maxResults,
    ...(guards.length > 0 && { guards }),
    ...(lists.length > 0 && { lists }),
    ...(hidden.length > 0 && { hidden }),
  };
};

/** The effects of a result, also of a request that was sent before as a batch, or was none. */
const doneOf = ({ result, ids, isReplayed }: Answer): DoneBatch => ({
  effects: result.outcome === 'done' ? result.results : [result as Effect],
  ids,
  isReplayed,
});

/** The error of a write at a place of a request. */
export const placed = ({ isBatch }: WriteRequest, at: number, error: ApiError): ApiError =>
  isBatch ? error.ofOperation(at) : error;
