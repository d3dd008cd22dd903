import { expect, test } from 'vitest';

import { backfilled, boolean, integer, nullable, number, optional, text } from '../../runtime/schema/fields.ts';
import type { Listing, WriteResult } from '../../runtime/store/store.ts';
import type { MainStore } from '../support/main-store.ts';
import { describeEngine, engines, textOf } from '../support/databases.ts';
import { company } from './tables.ts';

const time = '2026-01-01T00:00:00.000Z';
const later = '2026-02-01T00:00:00.000Z';

const fields = { name: text(), state: optional(text()), size: optional(integer()) };
const withRate = { ...fields, rate: number() };
const before = [company(fields)];
const after = [
  company({
    name: text(),
    state: backfilled(text(), "it's open"),
    size: backfilled(integer(), 7),
    rate: backfilled(number(), 0.5),
    active: backfilled(boolean(), true),
  }),
];

async function insert(store: MainStore, id: string, ...values: (string | number | boolean | null)[]): Promise<void> {
  await store.write({ op: 'insert', table: 'company', values: [id, ...values, time, time] });
}

const parsed = (json: unknown): unknown => JSON.parse(String(json));

const jsonOf = (result: WriteResult): unknown => {
  if (result.outcome !== 'written') throw new Error(`The write ended as ${result.outcome}.`);
  return parsed(result.json);
};

const listed = async (store: MainStore): Promise<unknown[]> => {
  const { items } = (await store.list('company', { limit: 10, offset: 0 })) as Listing;
  return JSON.parse(`[${await textOf(items)}]`) as unknown[];
};

for (const engine of engines) {
  describeEngine(engine, 'older rows of a required field', () => {
    test('show its backfill: read, listed, updated and moved', async () => {
      await using database = await engine.create();
      const older = await database.open(before);
      await insert(older, 'company_1', 'Acme', null, null);
      await insert(older, 'company_2', 'Bolt', 'shut', 3);
      await older.close();

      const store = await database.open(after);
      const first = { id: 'company_1', name: 'Acme', state: "it's open", size: 7, rate: 0.5, active: true };
      const times = { created_at: time, updated_at: time };
      expect(parsed(await store.get('company', 'company_1'))).toEqual({ ...first, ...times });
      const second = { id: 'company_2', name: 'Bolt', state: 'shut', size: 3, rate: 0.5, active: true, ...times };
      expect(await listed(store)).toEqual([second, { ...first, ...times }]);

      const set = { op: 'update', table: 'company', id: 'company_1', expected: {}, time: later } as const;
      expect(jsonOf(await store.write({ ...set, set: { size: 8 } }))).toEqual({
        ...first,
        size: 8,
        created_at: time,
        updated_at: later,
      });
      const move = { op: 'transition', table: 'company', field: 'state', to: 'shut', time: later } as const;
      expect(jsonOf(await store.write({ ...move, id: 'company_1', from: ["it's open"] }))).toMatchObject({
        state: 'shut',
        size: 8,
      });
      expect(await store.write({ ...move, id: 'company_2', from: ["it's open"] })).toEqual({
        outcome: 'wrong_state',
        state: 'shut',
      });
      await store.close();
    });

    test('without a backfill keep a start from adding the field, and nothing is changed', async () => {
      await using database = await engine.create();
      const older = await database.open(before);
      await insert(older, 'company_1', 'Acme', null, null);
      await older.close();
      const added = [company(withRate)];
      await expect(database.open(added)).rejects.toThrow(
        'Nothing was changed:\n  The field rate of company is required, and 1 row has no value. Give the field a `backfill` in its ' +
          'spec, the value that such rows show; or make it optional, and required once every row has a value.',
      );
      const same = await database.open(before);
      expect(await listed(same)).toHaveLength(1);
      await same.close();
    });

    test('are not there in an empty table, and may be null where the field may be', async () => {
      await using database = await engine.create();
      await (await database.open(before)).close();
      const added = [company(withRate)];
      const store = await database.open(added);
      await insert(store, 'company_1', 'Acme', null, null, 1);
      await store.close();
      const more = [company({ ...withRate, note: nullable(text()) })];
      const last = await database.open(more);
      expect(parsed(await last.get('company', 'company_1'))).toMatchObject({ rate: 1, note: null });
      await last.close();
    });
  });
}
