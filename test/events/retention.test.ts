import { expect, test } from 'vitest';

import { removeOld } from '../../runtime/features/trail/retention.ts';
import { eventPages } from '../../runtime/features/trail/events.ts';
import { company, insertOf } from '../store/contract.ts';
import { citus, describeEngine, engines } from '../support/databases.ts';
import { administer, organizationOf } from '../organizations/administer.ts';
import { features } from '../../runtime/features.ts';

const hour = 3_600_000;
const hoursAgo = (hours: number): string => new Date(Date.now() - hours * hour).toISOString();
/** Events of this age are removed after a day, as there are those of yesterday. */
const [old, yesterday, recent] = [hoursAgo(51), hoursAgo(25), hoursAgo(1)];

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'old events', () => {
    test('are not there of a resource that keeps none', async () => {
      await using database = await engine.create();
      await using store = await database.open([{ ...company, events: false }]);
      const write = insertOf(company);
      await store.write(write);
      await store.write({ op: 'delete', table: 'company', id: String(write.values[0]), time: old });
      expect(await store.ask(eventPages, { limit: 1 })).toMatchObject({ events: [], hasMore: false });
    });

    test('are removed if they were never read, too', async () => {
      await using database = await engine.create();
      await using store = await database.open([company]);
      const origin = { actor: 'a', requestId: 'r', time: old };
      const inserts = Array.from({ length: 600 }, () => insertOf(company));
      await Promise.all(inserts.map((write) => store.write(write, origin)));
      for (const time of [yesterday, recent]) await store.write(insertOf(company), { ...origin, time });
      expect(await administer(database, (connection) => removeOld(features.list, connection, 1))).toBe(600);
      expect((await store.ask(eventPages, { limit: 10 })).events).toHaveLength(2);
    });

    test('are removed in slices, but the newest of an organization, which numbers go on from', async () => {
      await using database = await engine.create();
      await using store = await database.open([company]);
      const acme = store.of(await organizationOf(database, [company], 'acme'));
      const origin = { actor: 'a', requestId: 'r', time: old };
      const inserts = (): ReturnType<typeof insertOf>[] => Array.from({ length: 1_100 }, () => insertOf(company));
      await Promise.all(inserts().map((write) => acme.write(write, origin)));
      await Promise.all(inserts().map((write) => store.write(write, origin)));
      await store.write(insertOf(company), { ...origin, time: yesterday });
      const numbersOf = async (records: Pick<typeof acme, 'ask'>): Promise<number[]> => {
        const { events } = await records.ask(eventPages, { limit: 1000 });
        return events.map((json) => (JSON.parse(json) as { number: number }).number);
      };
      const remove = (days: number, now?: number): Promise<number> =>
        administer(database, (connection) => removeOld(features.list, connection, days, now));
      expect(await remove(2)).toBe(0);
      // Nothing tells that the clock is right about those of acme.
      expect(await remove(1)).toBe(1_100);
      expect(await numbersOf(store)).toEqual([1_101]);
      await acme.write(insertOf(company), { ...origin, time: yesterday });
      expect(await remove(1)).toBe(1_100);
      expect(await numbersOf(acme)).toEqual([1_101]);
      expect(await remove(1, Date.now() + 400 * 24 * hour)).toBe(0);
      await acme.write(insertOf(company), { ...origin, time: recent });
      expect(await numbersOf(acme)).toEqual([1_101, 1_102]);
    });

    test('are kept from the first one on that is not old, also those that a clock which was behind has written', async () => {
      await using database = await engine.create();
      await using store = await database.open([company]);
      const write = (time: string): Promise<unknown> =>
        store.write(insertOf(company), { actor: 'a', requestId: 'r', time });
      for (const [time, count] of [
        [old, 510],
        [yesterday, 1],
        [old, 700],
        [yesterday, 1],
        [recent, 1],
      ] as const)
        for (let n = 0; n < count; n++) await write(time);
      expect(await administer(database, (connection) => removeOld(features.list, connection, 1))).toBe(510);
      expect(await administer(database, (connection) => removeOld(features.list, connection, 1))).toBe(0);
      expect(await store.ask(eventPages, { limit: 1 })).toMatchObject({
        events: [expect.stringMatching(/^{"number":511,/)],
      });
    });

    test('are kept if only a clock that was wrong for a while makes them old', async () => {
      await using database = await engine.create();
      await using store = await database.open([company]);
      const origin = { actor: 'a', requestId: 'r' };
      const start = Date.now();
      const write = (age: number): Promise<unknown> =>
        store.write(insertOf(company), { ...origin, time: new Date(start - age * hour).toISOString() });
      for (let age = 40 * 24; age > 0; age -= 12) await write(age);
      const ahead = 401 * 24;
      for (let age = 0; age < 0.25; age += 0.05) await write(age - ahead);
      const warnings: string[] = [];
      const remove = (hours: number, days = 30): Promise<number> =>
        administer(database, (connection) =>
          removeOld(features.list, connection, days, start + hours * hour, (warning) => warnings.push(warning)),
        );
      // While it is wrong.
      expect(await remove(ahead + 1, 400)).toBe(0);
      expect(warnings).toEqual([expect.stringContaining('The clock jumped by over a day')]);
      // When it is right again.
      await write(0);
      expect(await remove(1, 400)).toBe(0);
      expect(warnings).toHaveLength(1);
      // The events of the last day have no say: 31 days and more before the newest one of those before.
      expect(await remove(1)).toBe(18);
    });
  });
}
