import { expect, test } from 'vitest';

import { updateRecord } from '../../runtime/kernel/records/prepare.ts';
import type { Records } from '../../runtime/kernel/records/store.ts';
import type { SingleWrite } from '../../runtime/kernel/records/write.ts';
import { eventPages } from '../../runtime/features/trail/events.ts';
import { company, insertOf } from '../store/contract.ts';
import { citus, describeEngine, engines, postgres } from '../support/databases.ts';
import type { Event } from './trail.ts';

/** Writes records with several events each, those of all records in turns. @returns the number of events */
async function writeMany(records: Records, versions: number): Promise<number> {
  const inserts = Array.from({ length: 100 }, () => insertOf(company));
  const ids = inserts.map(({ values }) => String(values[0]));
  for (let version = 1; version <= versions; version++) {
    const updates = ids.map((id) => updateRecord(company, id, { name: `v${version}` }).write);
    const writes: SingleWrite[] = version === 1 ? inserts : updates;
    await records.write({ op: 'batch', table: 'company', writes, isTrial: false });
  }
  return ids.length * versions;
}

async function readAll(records: Records): Promise<Event[]> {
  const found: Event[] = [];
  for (;;) {
    const page = await records.ask(eventPages, { limit: 1000, after: found.at(-1)?.number ?? 0 });
    found.push(...page.events.map((json) => JSON.parse(json) as Event));
    if (!page.hasMore) return found;
  }
}

for (const engine of [postgres, citus]) {
  describeEngine(engine, 'events without numbers', () => {
    test('are numbered in the order of the versions of each record, if the clock is set back meanwhile', async () => {
      await using database = await engine.create();
      await using store = await database.open([company]);
      const numbered = await writeMany(store, 2);
      expect(await readAll(store)).toHaveLength(numbered);
      const written = numbered + (await writeMany(store, 14));
      // Each event seems to be earlier than those before it, but for some at one time.
      await database.execute(
        'update "_event" set "noted_at" = (9000000000000000 - "noted_at") / 4 where "number" is null',
      );
      const events = await readAll(store);
      expect(events.map(({ number }) => number)).toEqual(Array.from({ length: written }, (_, n) => n + 1));
      for (const own of Map.groupBy(events, ({ record }) => record).values()) {
        expect(own.map(({ version }) => version)).toEqual(own.map((_, n) => n + 1));
      }
    });
  });
}

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'a version of a record', () => {
    test('has one event', async () => {
      await using database = await engine.create();
      await using store = await database.open([company]);
      await writeMany(store, 2);
      const double = 'update "_event" set "version" = 1';
      await expect(database.execute(double)).rejects.toThrow(/unique/i);
      expect(await readAll(store)).toHaveLength(200);
    });
  });
}
