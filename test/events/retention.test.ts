import { expect, test } from 'vitest';

import { removeOld } from '../../runtime/migrations/retention.ts';
import { company, insertOf } from '../store/contract.ts';
import { citus, describeEngine, engines } from '../support/databases.ts';
import { administer, organizationOf } from '../organizations/administer.ts';

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();
const [old, recent] = [hoursAgo(25), hoursAgo(23)];

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'old events', () => {
    test('are not there of a resource that keeps none', async () => {
      await using database = await engine.create();
      await using store = await database.open([{ ...company, events: false }]);
      const write = insertOf(company);
      await store.write(write);
      await store.write({ op: 'delete', table: 'company', id: String(write.values[0]), time: old });
      expect(await store.events({ limit: 1 })).toMatchObject({ events: [], hasMore: false });
    });

    test('are removed if they were never read, too', async () => {
      await using database = await engine.create();
      await using store = await database.open([company]);
      const origin = { actor: 'a', requestId: 'r', time: old };
      const inserts = Array.from({ length: 600 }, () => insertOf(company));
      await Promise.all(inserts.map((write) => store.write(write, origin)));
      await store.write(insertOf(company), { ...origin, time: recent });
      expect(await administer(database, (connection) => removeOld(connection, 1))).toBe(600);
      expect((await store.events({ limit: 10 })).events).toHaveLength(1);
    });

    test('are removed in slices, but the newest of an organization, which numbers go on from', async () => {
      await using database = await engine.create();
      await using store = await database.open([company]);
      const acme = store.of(await organizationOf(database, [company], 'acme'));
      const origin = { actor: 'a', requestId: 'r', time: old };
      for (const records of [acme, store]) {
        const inserts = Array.from({ length: 1_100 }, () => insertOf(company));
        await Promise.all(inserts.map((write) => records.write(write, origin)));
      }
      await store.write(insertOf(company), { ...origin, time: recent });
      const numbersOf = async (records: Pick<typeof acme, 'events'>): Promise<number[]> => {
        const { events } = await records.events({ limit: 1000 });
        return events.map((json) => (JSON.parse(json) as { number: number }).number);
      };
      // Events of PostgreSQL get numbers when they are read.
      for (const records of [acme, store]) for (let n = 0; n < 3; n++) await numbersOf(records);
      const remove = (days: number): Promise<number> =>
        administer(database, (connection) => removeOld(connection, days));
      expect(await remove(2)).toBe(0);
      expect(await remove(1)).toBe(1_099 + 1_100);
      expect([await numbersOf(acme), await numbersOf(store)]).toEqual([[1_100], [1_101]]);
      await acme.write(insertOf(company), { ...origin, time: recent });
      expect(await numbersOf(acme)).toEqual([1_100, 1_101]);
    });
  });
}
