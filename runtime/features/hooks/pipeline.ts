import { ApiError } from '../../kernel/model/errors.ts';
import { placed } from '../../kernel/records/perform.ts';
import type { ReadParameters } from '../../kernel/api/service.ts';
import type { Unit, WritePipeline, WriteRequest } from '../../kernel/records/write-pipeline.ts';
import { hookBefore } from './hooks.ts';
import { UnitOfWork } from './unit-of-work.ts';

/** Calls hooks before writes: what they write commits with these, or nothing does. @param parameters see `Feature.around` */
export const hookedIn =
  (parameters: readonly ReadParameters[]) =>
  (next: WritePipeline): WritePipeline => ({
    ...next,
    compose: async (request) =>
      request.writes.some(({ table, write }) => hookBefore(table, write))
        ? hooked(request, (one) => new UnitOfWork(one, next, parameters))
        : next.compose(request),
  });

/** Adds writes until one fails. @throws the errors of the service itself */
async function hooked(request: WriteRequest, unitOf: (request: WriteRequest) => UnitOfWork): Promise<Unit> {
  const { writes, next } = request;
  const unit = unitOf(request);
  for (const [at, prepared] of writes.entries()) {
    try {
      await unit.add(prepared, at);
    } catch (error) {
      // The hook may have missed records that the writes before it make.
      if (unit.isGuess && !(error instanceof ApiError)) return hooked({ ...request, isRepeated: true }, unitOf);
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      return { ...unit.composed, failure: placed(request, at, error) };
    }
  }
  return { ...unit.composed, failure: next };
}
