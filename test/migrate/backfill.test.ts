import { expect, test } from 'vitest';

import {
  backfilled,
  boolean,
  integer,
  nullable,
  number,
  optional,
  text,
  type Value,
} from '../../runtime/kernel/model/fields.ts';
import type { Operator } from '../../runtime/kernel/model/query.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import { features } from '../../runtime/features.ts';
import { Dml } from '../../runtime/kernel/sql/dml.ts';
import { postgresDialect } from '../../runtime/engines/postgres/dialect.ts';
import { buildList, isFiltered } from '../../runtime/kernel/sql/list.ts';
import { sqliteDialect } from '../../runtime/engines/sqlite/dialect.ts';
import type { Condition, Listing, Page } from '../../runtime/kernel/records/page.ts';
import type { WriteResult } from '../../runtime/kernel/records/write.ts';
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

      await using store = await database.open(after);
      const first = { id: 'company_1', name: 'Acme', state: "it's open", size: 7, rate: 0.5, active: true };
      const times = { created_at: time, updated_at: time };
      expect(parsed((await store.get('company', 'company_1'))?.json)).toEqual({ ...first, ...times });
      const second = { id: 'company_2', name: 'Bolt', state: 'shut', size: 3, rate: 0.5, active: true, ...times };
      expect(await listed(store)).toEqual([second, { ...first, ...times }]);

      const set = { op: 'update', table: 'company', id: 'company_1', expected: {}, time: later } as const;
      expect(jsonOf(await store.write({ ...set, set: { size: 8 } }))).toEqual({
        ...first,
        size: 8,
        created_at: time,
        updated_at: later,
      });
      const move = {
        op: 'transition',
        name: 'shut',
        table: 'company',
        field: 'state',
        to: 'shut',
        time: later,
      } as const;
      expect(jsonOf(await store.write({ ...move, id: 'company_1', from: ["it's open"] }))).toMatchObject({
        state: 'shut',
        size: 8,
      });
      expect(await store.write({ ...move, id: 'company_2', from: ["it's open"] })).toEqual({
        outcome: 'wrong_state',
        state: 'shut',
      });
    });

    test('are filtered, sorted, searched and left alone by the value that they show', async () => {
      await using database = await engine.create();
      const older = await database.open(before);
      await insert(older, 'company_1', 'Acme', null, null);
      await insert(older, 'company_2', 'Bolt', 'zoo', 3);
      await insert(older, 'company_3', 'Cask', 'abc', 9);
      await older.close();
      const names = ['state', 'size', 'rate', 'active'];
      const found = { filter: names, sort: names, search: ['state'] };
      const withState = (state: string): Table =>
        company(
          {
            name: text(),
            state: backfilled(text(), state),
            size: backfilled(integer(), 7),
            rate: backfilled(number(), 0.5),
            active: backfilled(boolean(), true),
          },
          'company',
          undefined,
          found,
        );
      let table = withState("it's open");
      let store = await database.open([table]);
      const ids = async (page: Partial<Page>): Promise<string> => {
        const listing = (await store.list('company', { limit: 10, offset: 0, ...page })) as Listing;
        const rows = JSON.parse(`[${await textOf(listing.items)}]`) as { id: string }[];
        if (!page.after && isFiltered(page)) expect(listing.total).toBe(rows.length);
        return rows.map(({ id }) => id.slice(-1)).join('');
      };
      const by = (column: string, operator: Operator, ...values: Value[]): Promise<string> =>
        ids({ filter: [{ column, operator, values }] });
      const sorted = (column: string, isDescending: boolean, cursor?: string): Promise<string> =>
        ids({ sort: [{ column, isDescending }], ...(cursor !== undefined && { after: `company_${cursor}` }) });

      expect(await by('state', 'eq', "it's open")).toBe('1');
      expect(await by('state', 'ne', 'abc')).toBe('21');
      expect(await by('state', 'in', 'abc', "it's open")).toBe('31');
      expect(await by('state', 'prefix', 'it')).toBe('1');
      expect(await by('state', 'null', true)).toBe('');
      expect(await by('state', 'null', false)).toBe('321');
      expect(await by('size', 'gte', 7)).toBe('31');
      expect(await by('rate', 'eq', 0.5)).toBe('321');
      expect(await by('rate', 'lt', 0.5)).toBe('');
      expect(await by('active', 'eq', true)).toBe('321');
      expect(await sorted('state', false)).toBe('312');
      expect(await sorted('state', true)).toBe('213');
      expect(await sorted('state', false, '1')).toBe('2');
      expect(await sorted('size', true)).toBe('312');
      expect(await sorted('size', false, '1')).toBe('3');
      expect(await sorted('active', false)).toBe('321');
      expect(await ids({ search: ['open'] })).toBe('1');

      const set = { state: "it's open", size: 7, rate: 0.5, active: true };
      const same = { op: 'update', table: 'company', id: 'company_1', set, time: later } as const;
      expect(jsonOf(await store.write({ ...same, expected: { size: 7 } }))).toMatchObject({ ...set, updated_at: time });
      await database.execute(`update company set "state" = null where "id" = 'company_1'`);
      await store.close();

      // Another backfill is another index.
      table = withState('zzz');
      store = await database.open([table]);
      expect(await by('state', 'eq', 'zzz')).toBe('1');
      expect(await sorted('state', false)).toBe('321');
      expect(await ids({ search: ['zzz'] })).toBe('1');
      await store.close();
    });

    test('are found in indexes', async () => {
      await using database = await engine.create();
      const table = company({ state: backfilled(text(), "it's open") }, 'company', undefined, {
        filter: ['state'],
        sort: ['state'],
      });
      await (await database.open([table])).close();
      await database.execute(
        `insert into company ("_organization", "id", "state", "created_at", "updated_at")
         with recursive _n(value) as (select 1 union all select value + 1 from _n where value < 5000)
         select 1, 'company_' || (10000 + value), case value % 10 when 0 then null else 'is ' || value end, 't', 't' from _n;
         analyze`,
      );
      const isSqlite = engine.name === 'SQLite';
      const dml = new Dml([table], isSqlite ? sqliteDialect : postgresDialect, features.list).of('company', 1);
      const filter: Condition[] = [{ column: 'state', operator: 'eq', values: ['is 7'] }];
      const sort = [{ column: 'state', isDescending: true }];
      for (const rows of [{ filter }, { sort }, { sort: [{ column: 'state', isDescending: false }] }]) {
        const { parts } = buildList(dml, rows);
        const statement = `select "id" from ${parts.join()} limit 5`;
        const bound = statement.replaceAll(/[$?]1\b/g, '1').replaceAll(/[$?]2\b/g, `'is 7'`);
        const plan = JSON.stringify(await database.query(`explain ${isSqlite ? 'query plan ' : ''}${bound}`));
        expect(plan).toContain('_company.state.');
        expect(plan).not.toMatch(/temp b-tree|sort/i);
      }
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
      await using same = await database.open(before);
      expect(await listed(same)).toHaveLength(1);
    });

    test('are not there in an empty table, and may be null where the field may be', async () => {
      await using database = await engine.create();
      await (await database.open(before)).close();
      const added = [company(withRate)];
      const store = await database.open(added);
      await insert(store, 'company_1', 'Acme', null, null, 1);
      await store.close();
      const more = [company({ ...withRate, note: nullable(text()) })];
      await using last = await database.open(more);
      expect(parsed((await last.get('company', 'company_1'))?.json)).toMatchObject({ rate: 1, note: null });
    });
  });
}
