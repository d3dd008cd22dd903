import { ApiError } from '../../kernel/model/errors.ts';
import { currentTime } from '../../kernel/model/ids.ts';
import { performAll, placed } from '../../kernel/records/perform.ts';
import type { ReadParameters } from '../../kernel/api/service.ts';
import type { Running } from '../../kernel/running.ts';
import type { Records } from '../../kernel/records/store.ts';
import type { Unit, WritePipeline, WriteRequest } from '../../kernel/records/write-pipeline.ts';
import type { Event } from '../trail/events.ts';
import { hookAfter, hookBefore } from './hooks.ts';
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

/**
 * Calls the hook after an event, if there is one. Its writes are done once, however often it is called within a day.
 *
 * @throws the errors of the hook. ApiError if its writes cannot be done
 */
export async function performAfter({ pipeline, parameters }: Running, records: Records, event: Event): Promise<void> {
  const { number, resource, operation, actor, request_id: requestId } = event;
  const table = records.tables.find(({ path }) => path === resource);
  const hook = table && hookAfter(table, operation);
  if (!hook) return;
  const once = { owner: hook.name, key: String(number), digest: '', ids: [] };
  const origin = { actor, requestId, time: currentTime(), once };
  const request = { records, writes: [], isReadable: () => true, origin };
  const compose = async (): Promise<Unit> => {
    const unit = new UnitOfWork(request, pipeline, parameters);
    await unit.follow(hook, table, event);
    if (unit.composed.writes.length > 0) await unit.requireEvent(event);
    return unit.composed;
  };
  // It may take long, and has no request wait for it.
  await performAll({ ...pipeline, compose }, request, 'after ');
}
