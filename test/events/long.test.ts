import { expect, test } from 'vitest';

import { company } from '../store/contract.ts';
import { describeEngine, engines } from '../support/databases.ts';
import { eventPages } from '../../runtime/features/trail/events.ts';

for (const engine of engines) {
  describeEngine(engine, 'long events', () => {
    test('are read only as far as they are shown', async () => {
      await using database = await engine.create();
      await using store = await database.open([company]);
      const text = engine.name === 'SQLite' ? 'hex(zeroblob(150000))' : "repeat('x', 300000)";
      await database.execute(
        `insert into _event (_organization, number, time, operation, resource, record, version, changes) ` +
          `with recursive n(n) as (select 1 union all select n + 1 from n where n < 400) ` +
          `select 1, n, '', 'update', 'company', 'long', n, '{"x":["","' || ${text} || '"]}' from n`,
      );
      const fastest = async (limit: number): Promise<number> => {
        const durations: number[] = [];
        for (let i = 0; i < 8; i++) {
          const start = performance.now();
          const { events, hasMore } = await store.ask(eventPages, { limit, maxBytes: 1 });
          durations.push(performance.now() - start);
          expect([events.length, hasMore]).toEqual([1, true]);
        }
        return Math.min(...durations);
      };
      expect(await fastest(1000)).toBeLessThan(8 * (await fastest(1)));
    });
  });
}
