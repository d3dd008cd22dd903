import { expect, test } from 'vitest';
import { z } from 'zod';

import { integer, readOnly } from '../../runtime/kernel/model/fields.ts';
import { record, schemaOf, type Table } from '../../runtime/kernel/model/table.ts';
import { computedRewrites } from '../../runtime/features/rules/compare.ts';
import type { Database } from '../../runtime/migrations/types.ts';
import { transact } from '../../runtime/migrations/transact.ts';
import { withPostgres } from '../../runtime/migrations/postgres.ts';
import { rewriteRows } from '../../runtime/migrations/rewrites.ts';
import { withSqlite } from '../../runtime/migrations/sqlite.ts';
import { logic } from '../../runtime/features/rules/expressions/index.ts';
import { describeEngine, engines, serviceName, type TestDatabase } from '../support/databases.ts';
import { bill, line, payer, tables } from './bills.ts';
import { batchOf, idOf, insertOf, wrongBills } from './subject.ts';
import { features } from '../../runtime/features.ts';
import { ruled } from '../../runtime/features/rules/feature.ts';

/** The same table as an older spec had it, without what is computed. */
function older({ logic: own, columns, ...table }: Table): Table {
  const list = { filter: [], sort: [], search: [] };
  return { ...table, list, columns: columns.filter(({ name }) => !Object.hasOwn(own?.computed ?? {}, name)) };
}

const olderTables = tables.map(older);
const [olderBill, olderLine, olderPayer] = [bill, line, payer].map(({ name }) =>
  olderTables.find((table) => table.name === name),
) as [Table, Table, Table];

for (const engine of engines) {
  describeEngine(engine, 'migrations of computed fields', () => {
    const use = <T>({ url }: TestDatabase, work: (database: Database) => Promise<T>): Promise<T> =>
      engine.name === 'SQLite'
        ? withSqlite(url.slice('sqlite:'.length), serviceName, 'write', work)
        : withPostgres(url, serviceName, work);
    const recompute = (database: TestDatabase): Promise<number> =>
      use(database, async (connection) => {
        let written = 0;
        for (const rewrite of computedRewrites(tables, features.list))
          written += await rewriteRows(connection, rewrite, transact);
        return written;
      });

    test('older rows are computed by the start that adds the fields, and rows that are wrong when that is requested', async () => {
      await using database = await engine.create();
      const owner = insertOf(olderPayer);
      const first = insertOf(olderBill, { discount: '1.00', payer_id: idOf(owner) });
      {
        await using store = await database.open(olderTables);
        await store.write(owner);
        await store.write(first);
        // More than a slice has.
        for (let n = 0; n < 6; n++) {
          const lines = Array.from({ length: 100 }, (_, i) =>
            insertOf(olderLine, { bill_id: idOf(first), quantity: n + 1, price: `${i}.50` }),
          );
          const bills = Array.from({ length: 100 }, () => insertOf(olderBill));
          expect(await store.write(batchOf(...lines, ...bills))).toMatchObject({ outcome: 'done' });
        }
      }
      const versionOf = async (): Promise<unknown> =>
        (await database.query(`select "_version" from "bill" where "id" = '${idOf(first)}'`))[0];
      const before = await versionOf();
      {
        await using store = await database.open(tables);
        const found = JSON.parse(String((await store.get('bill', idOf(first)))?.json)) as object;
        expect(found).toMatchObject({ total: '105000.00', lines: 600, pieces: 2100, due: '104999.00' });
        const owed = JSON.parse(String((await store.get('payer', idOf(owner)))?.json)) as object;
        expect(owed).toMatchObject({ owed: '105000.00', bills: 1, open: 1, largest: '104999.00' });
      }
      expect(await database.query(wrongBills())).toEqual([]);
      const after = await versionOf();
      expect(after).not.toEqual(before);
      await (await database.open(tables)).close();
      expect(await versionOf()).toEqual(after);
      expect(await recompute(database)).toBe(0);
      await database.execute(`update "bill" set "lines" = 7 where "id" = '${idOf(first)}'`);
      await database.execute(`update "line" set "amount" = null where "quantity" = 2`);
      await database.execute(`update "payer" set "open" = 7 where "id" = '${idOf(owner)}'`);
      expect(await recompute(database)).toBe(102);
      expect(await database.query(wrongBills())).toEqual([]);
    });

    test('a changed expression is computed again, and a value that cannot be refuses the start', async () => {
      await using database = await engine.create();
      const thing = (factor: number): Table =>
        record(
          'thing',
          z.strictObject({
            ...schemaOf(bill).pick({ id: true, created_at: true, updated_at: true }).shape,
            size: integer(),
            area: readOnly(integer()),
          }),
          {},
          [
            ruled(
              logic<{ size: number }>({
                url: import.meta.url,
                name: 'none',
                computed: {
                  area: {
                    expression: `size * ${factor}`,
                    compute: ({ size }) => {
                      if (size === factor) throw new RangeError('too large');
                      return (size as number) * factor;
                    },
                  },
                },
              }),
            ),
          ],
        );
      const insert = insertOf(thing(2), { size: 5 });
      await using first = await database.open([thing(2)]);
      await first.write(insert);
      const area = () => database.query('select "area" from "thing"');
      expect((await area()).map((row) => Number(row['area']))).toEqual([10]);
      await (await database.open([thing(3)])).close();
      expect((await area()).map((row) => Number(row['area']))).toEqual([15]);
      await expect(database.open([thing(5)])).rejects.toThrow(
        `The area cannot be computed: a value is too large, or divided by zero. It is so in 1 row of thing: ${idOf(insert)}.`,
      );
    });
  });
}
