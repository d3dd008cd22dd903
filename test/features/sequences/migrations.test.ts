import { afterEach, beforeEach, expect, test } from 'vitest';
import type { z } from 'zod';

import { features } from '../../../runtime/features.ts';
import { sequence } from '../../../runtime/features/sequences/feature.ts';
import { unique } from '../../../runtime/features/unique/columns.ts';
import { renamed, text } from '../../../runtime/kernel/model/fields.ts';
import { newId } from '../../../runtime/kernel/model/ids.ts';
import type { Table } from '../../../runtime/kernel/model/table.ts';
import { migrateSchema } from '../../../runtime/migrations/driver.ts';
import { rewriteRows } from '../../../runtime/migrations/rewrites.ts';
import { transact } from '../../../runtime/migrations/transact.ts';
import { migration } from '../../../runtime/features/sequences/compare.ts';
import { company, note } from '../../migrate/tables.ts';
import { administer, organizationOf } from '../../organizations/administer.ts';
import { citus, describeEngine, engines, type Row, type TestDatabase } from '../../support/databases.ts';

const numberedBy = (pattern: string, field = 'number'): Table =>
  unique(field)(company({ name: text(), [field]: sequence(pattern) }));

const plain = company({ name: text() });

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'a migration of sequences', () => {
    let database: TestDatabase;

    beforeEach(async () => {
      database = await engine.create();
    });
    afterEach(() => database[Symbol.asyncDispose]());

    const migrate = (...tables: readonly Table[]): Promise<unknown> =>
      administer(database, (connection) => migrateSchema(features.list, connection, tables, { incompatible: true }));

    const start = async (...tables: readonly Table[]): Promise<void> => (await database.open(tables)).close();

    /** Creates a record. @returns its JSON */
    async function add(table: Table, name: string, id = newId(table.name).id): Promise<Record<string, unknown>> {
      await using store = await database.open([table]);
      const { time } = newId(table.name);
      const own: Readonly<Record<string, string>> = { id, name, created_at: time, updated_at: time };
      const values = table.columns.map((column) => own[column.name] ?? null);
      const result = await store.write({ op: 'insert', table: table.name, values });
      if (result.outcome !== 'written') throw new Error(result.outcome);
      return JSON.parse(result.json) as Record<string, unknown>;
    }

    /** Stores rows of a plain table, past any store. @param rows the organization, id and time of creation of each */
    const insertRows = (rows: readonly (readonly [organization: number, id: string, time: string])[]): Promise<void> =>
      database.execute(
        `insert into company (_organization, id, name, created_at, updated_at) values ` +
          rows.map(([of, id, time]) => `(${of}, '${id}', 'a', '${time}', '${time}')`).join(', '),
      );

    const rows = (): Promise<Row[]> => database.query('select * from company order by _organization, id');

    test('numbers 10,000 rows in the order of creation, in each organization, by the year of each', async () => {
      await start(plain);
      const other = await organizationOf(database, [plain], 'other');
      const made = Array.from({ length: 10_000 }, (_, n) => {
        const time = new Date(Date.UTC(2025, 11, 31, 23) + n * 1000).toISOString();
        return [n % 10 === 0 ? other : 1, newId('company').id, time] as const;
      });
      // In an order of their own, so that no engine finds them in that of their creation.
      const shuffled = made.toSorted(([, a], [, b]) => (a.slice(-6) < b.slice(-6) ? -1 : 1));
      for (let at = 0; at < shuffled.length; at += 1000) await insertRows(shuffled.slice(at, at + 1000));
      const table = numberedBy('C-{yyyy}-{000}');
      await migrate(table);
      const last = new Map<string, number>();
      const expected = made.map(([of, id, time]) => {
        const around = `C-${time.slice(0, 4)}-`;
        const count = (last.get(`${of} ${around}`) ?? 0) + 1;
        last.set(`${of} ${around}`, count);
        return [id, `${around}${String(count).padStart(3, '0')}`] as const;
      });
      expect(new Map((await rows()).map(({ id, number }) => [id, number]))).toEqual(new Map(expected));
      expect([...last.values()]).toEqual([360, 3240, 640, 5760]);
      const year = new Date().getUTCFullYear();
      const first = year === 2026 ? '5761' : '001';
      expect(await add(table, 'next')).toMatchObject({ number: `C-${year}-${first}` });
    });

    test('keeps the numbers of another pattern, goes on behind those of the new one, and gives none again', async () => {
      const [first, second] = [numberedBy('A{000}'), numberedBy('A{00}')];
      expect(await add(first, 'a')).toMatchObject({ number: 'A001' });
      await database.execute(`update company set number = 'B7'`);
      const changed = numberedBy('B{0}');
      await migrate(changed);
      expect(await add(changed, 'b')).toMatchObject({ number: 'B8' });
      await database.execute(`delete from company where number = 'B8'`);
      await migrate(second);
      // As A001 was given under this text.
      expect(await add(second, 'c')).toMatchObject({ number: 'A02' });
      await migrate(changed);
      expect(await add(changed, 'd')).toMatchObject({ number: 'B9' });
      expect((await rows()).map(({ number }) => number)).toEqual(['B7', 'A02', 'B9']);
    });

    test('a renamed table and field have the counters of the former one', async () => {
      const first = numberedBy('A{0}');
      const { id } = await add(first, 'a');
      await add(first, 'b');
      await database.execute(`delete from company where id <> '${String(id)}'`);
      const code = renamed(sequence('A{0}') as z.ZodType, 'number');
      const firm = unique('code')(company({ name: text(), code }, 'firm', ['company']));
      await migrate(firm);
      expect(await add(firm, 'c')).toMatchObject({ code: 'A3' });
      expect(await database.query('select "table", field, last from _sequence')).toEqual([
        { table: 'firm', field: 'code', last: expect.anything() as unknown },
      ]);
    });

    test('line items are numbered by the time in their ids, and what other programs add by a request', async () => {
      const items = note();
      await start(plain, items);
      const { id: parent } = await add(plain, 'a');
      const ids = Array.from({ length: 3 }, () => newId('note').id);
      const insert = (id: string): Promise<void> =>
        database.execute(
          `insert into note (_organization, id, idx, company_id) values (1, '${id}', 1, '${String(parent)}')`,
        );
      for (const id of ids.toReversed()) await insert(id);
      const numbered = unique('code')(note({ code: sequence('{yyyy}/{0}') }));
      await migrate(plain, numbered);
      const year = new Date().getUTCFullYear();
      const codes = async (): Promise<unknown[]> =>
        (await database.query('select code from note order by id')).map(({ code }) => code);
      expect(await codes()).toEqual([`${year}/1`, `${year}/2`, `${year}/3`]);
      await insert(newId('note').id);
      const [rewrite] = migration.rewrites?.([numbered], features.list) ?? [];
      expect(await administer(database, (connection) => rewriteRows(connection, rewrite!, transact))).toBe(1);
      expect((await codes()).at(-1)).toBe(`${year}/4`);
    });

    test('a table that takes the name of a former one begins anew', async () => {
      const table = numberedBy('A{0}');
      await add(table, 'a');
      await database.execute('drop table company');
      await migrate(table);
      expect(await add(table, 'b')).toMatchObject({ number: 'A1' });
    });
  });
}
