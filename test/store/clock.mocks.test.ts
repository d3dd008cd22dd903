import { afterEach, expect, test, vi } from 'vitest';

import type * as Operations from '../support/operations.ts';
import type { MainStore } from '../support/main-store.ts';
import { describeEngine, engines, textOf } from '../support/databases.ts';
import { branch, company } from './contract.ts';

const now = Date.UTC(2030, 0, 1);
const day = 24 * 60 * 60 * 1_000;

/** The operations as a process that has just begun has them. */
async function beginProcess(): Promise<typeof Operations> {
  vi.resetModules();
  return import('../support/operations.ts');
}

async function idsIn(store: MainStore, table: string): Promise<string[]> {
  const listing = await store.list(table, { limit: 100, offset: 0 });
  const rows = JSON.parse(`[${await textOf(listing?.items ?? '')}]`) as { id: string }[];
  return rows.map(({ id }) => id);
}

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

for (const engine of engines) {
  describeEngine(engine, 'records made while the clock was ahead', () => {
    test.each([
      ['of a resource that was always called so', company, undefined],
      ['of a resource that was called otherwise then', branch, 'site'],
    ])('%s are listed behind those made later', async (_, table, formerName = table.name) => {
      await using database = await engine.create();
      const said = vi.spyOn(console, 'error').mockReturnValue();
      vi.useFakeTimers({ toFake: ['Date'], now: now + day });
      let store = await database.open([table]);
      const early = await (await beginProcess()).createRecord(store, table, {});
      await store.close();
      const earlyId = early.id.replace(table.name, formerName);
      await database.execute(`update "${table.name}" set "id" = '${earlyId}'`);

      vi.setSystemTime(now);
      store = await database.open([table]);
      const { createRecord, updateRecord } = await beginProcess();
      // At the same time: all of them wait for the look at what is stored.
      const made = await Promise.all([1, 2, 3].map(() => createRecord(store, table, {})));
      expect(await idsIn(store, table.name)).toEqual([...made.map(({ id }) => id).toReversed(), earlyId]);
      const { created_at } = JSON.parse(made[0]?.text ?? '') as { created_at: string };
      expect(created_at).toBe(new Date(now + day + 1).toISOString());
      const updated = JSON.parse(await updateRecord(store, table, earlyId, { name: 'new' })) as { updated_at: string };
      expect(updated.updated_at >= new Date(now + day).toISOString()).toBe(true);
      expect(said).toHaveBeenCalledExactlyOnceWith(expect.stringContaining(new Date(now + day).toISOString()));

      vi.setSystemTime(now + 2 * day);
      const caughtUp = JSON.parse((await createRecord(store, table, {})).text) as { created_at: string };
      expect(caughtUp.created_at).toBe(new Date(now + 2 * day).toISOString());
      await store.close();
    });
  });
}
