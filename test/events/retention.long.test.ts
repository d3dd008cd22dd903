import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { company, insertOf } from '../store/contract.ts';
import { describeEngine, engines, serviceName } from '../support/databases.ts';
import { eventPages } from '../../runtime/features/trail/events.ts';
import { features } from '../../runtime/features.ts';

const thread = new URL('../../runtime/features/trail/retention-thread.ts', import.meta.url);
const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 60 * 60 * 1000).toISOString();

for (const engine of engines) {
  describeEngine(engine, 'the thread that removes old events', () => {
    test('removes them, also if another connection writes for longer than it waits for a lock', async () => {
      await using database = await engine.create();
      await using store = await database.open([company]);
      const origin = { actor: 'a', requestId: 'r', time: hoursAgo(51) };
      await Promise.all(Array.from({ length: 600 }, () => store.write(insertOf(company), origin)));
      for (const time of [hoursAgo(25), hoursAgo(0)]) await store.write(insertOf(company), { ...origin, time });
      const file = database.url.startsWith('sqlite:') ? database.url.slice('sqlite:'.length) : undefined;
      using other = file === undefined ? undefined : new DatabaseSync(file);
      other?.exec('begin immediate');
      const address = file === undefined ? { kind: 'postgres', url: database.url } : { kind: 'sqlite', file };
      const worker = new Worker(thread, {
        workerData: {
          database: address,
          service: serviceName,
          module: features.module,
          days: 1,
          now: Date.now(),
          limit: 60_000,
        },
      });
      const ended = once(worker, 'exit');
      await pause(3_000);
      other?.exec('rollback');
      expect(await ended).toEqual([0]);
      expect((await store.ask(eventPages, { limit: 10 })).events).toHaveLength(2);
    });
  });
}
