import { expect, test } from 'vitest';

import { service } from '../service/generated/app.ts';
import { describeEngine, engines } from '../support/databases.ts';
import { create, list, remove } from '../support/records.ts';
import { sharedServer } from '../support/server.ts';

const path = '/api/library/author';

/** More records than a list sorts to find a page of them. */
const frequent = 10_050;

const idOf = (number: number): string => `author_01AAAAAAAAAAAAAAAAAA${100_000 + number}`;
const idsFrom = (newest: number, count: number): string[] => Array.from({ length: count }, (_, n) => idOf(newest - n));

for (const engine of engines) {
  describeEngine(engine, 'a word that very many records have', () => {
    const server = sharedServer({ engine, tables: service.tables });

    /** Expects the ids of a page, and the exact total, whether it has been counted before or not. */
    async function expectPage(
      query: Record<string, string | number>,
      ids: readonly string[],
      total: number,
    ): Promise<void> {
      for (let n = 0; n < 2; n++) {
        const page = await list(server, path, query);
        expect([query, page.data.map(({ id }) => id), page.total]).toEqual([query, ids, total]);
      }
    }

    test('has exact pages and totals, also right after a write, as a rare one has', async () => {
      const words = engine.name === 'SQLite' ? [`'{"name":"1·often 1·w'`, `'"}'`] : [`'1·often·name 1·w'`, `'·name'`];
      const cast = engine.name === 'SQLite' ? 'text' : 'tsvector';
      await server.database.execute(
        `with recursive _n(value) as (select 1 union all select value + 1 from _n where value < ${frequent})
         insert into author ("_organization", "id", "name", "created_at", "updated_at", "_search")
         select 1, 'author_01AAAAAAAAAAAAAAAAAA' || (100000 + value), 'Often w' || value, 't', 't',
           cast(${words[0]} || value || ${words[1]} as ${cast}) from _n`,
      );
      for (const total of [frequent, frequent + 1, frequent]) {
        const newer = total > frequent ? [(await create(server, path, { name: 'Often' })).id] : [];
        await expectPage({ q: 'often', limit: 3 }, [...newer, ...idsFrom(frequent, 3 - newer.length)], total);
        await expectPage({ q: 'often', limit: 3, offset: 40 }, idsFrom(frequent - 40 + newer.length, 3), total);
        await expectPage({ q: 'often', limit: 3, offset: 9_000 }, idsFrom(frequent - 9_000 + newer.length, 3), total);
        await expectPage({ q: 'often', limit: 200, offset: 10 }, idsFrom(frequent - 10 + newer.length, 200), total);
        await expectPage({ q: 'often', limit: 2, after: idOf(500) }, idsFrom(499, 2), total);
        await expectPage({ q: 'often', limit: 2, sort: 'id', offset: 1 }, [idOf(2), idOf(3)], total);
        await expectPage({ q: 'often', limit: 2, offset: 20_000 }, [], total);
        await expectPage({ q: 'w777', limit: 2, offset: 1 }, [idOf(7_778), idOf(7_777)], 11);
        await expectPage({ q: 'often w777', limit: 1, offset: 10 }, [idOf(777)], 11);
        await expectPage({ q: 'never' }, [], 0);
        for (const id of newer) await remove(server, path, id);
      }
    });
  });
}
