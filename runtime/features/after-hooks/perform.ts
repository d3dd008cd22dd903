import { currentTime } from '../../kernel/model/ids.ts';
import { performAll } from '../../kernel/records/perform.ts';
import type { Records } from '../../kernel/records/store.ts';
import type { Unit } from '../../kernel/records/write-pipeline.ts';
import type { Running } from '../../kernel/running.ts';
import { hookAfter } from '../hooks/hooks.ts';
import { UnitOfWork } from '../hooks/unit-of-work.ts';
import type { Event } from '../trail/events.ts';

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
