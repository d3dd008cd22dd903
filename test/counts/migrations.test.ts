import { expect, test } from 'vitest';
import type { z } from 'zod';

import { sqliteDialect } from '../../runtime/engines/sqlite/dialect.ts';
import { counted } from '../../runtime/features/counts/feature.ts';
import type { CountQuery } from '../../runtime/features/counts/query.ts';
import { type Counted, countRead } from '../../runtime/features/counts/read.ts';
import { features } from '../../runtime/features.ts';
import { backfilled, integer, oneOf, optional, text } from '../../runtime/kernel/model/fields.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import { Dml } from '../../runtime/kernel/sql/dml.ts';
import { mainOrganization } from '../../runtime/kernel/sql/schema.ts';
import type { Round } from '../../runtime/kernel/sql/types.ts';
import { company } from '../migrate/tables.ts';
import { citus, describeEngine, engines, sqlite, type TestDatabase } from '../support/databases.ts';

type Fields = Record<string, z.ZodType>;

const tablesOf = (fields: Fields, by: readonly string[], sum: readonly string[]): Table[] => [
  counted({ by, sum })(company(fields)),
];

const fields = { status: optional(text()), size: optional(integer()) };

async function store(
  database: TestDatabase,
  tables: readonly Table[],
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  const records = await database.open(tables);
  for (const [at, row] of rows.entries()) {
    const id = `company_${String(at).padStart(26, '0')}`;
    await records.write({ op: 'insert', table: 'company', values: [id, ...(row as string[]), 't', 't'] });
  }
  await records.close();
}

async function count(database: TestDatabase, tables: readonly Table[], query: CountQuery): Promise<Counted> {
  const records = await database.open(tables);
  const result = await records.ask(countRead, 'company', query);
  await records.close();
  return result;
}

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'the counts of a list', () => {
    const indexes = async (database: TestDatabase): Promise<unknown[]> => {
      const names =
        engine.name === 'SQLite' ? 'name from sqlite_schema where' : 'indexname as name from pg_indexes where';
      const column = engine.name === 'SQLite' ? 'name' : 'indexname';
      const rows = await database.query(`select ${names} ${column} like '%.with-%' order by 1`);
      return rows.map((row) => String(row['name']).replace(/-.*/, ''));
    };

    test('get an index at a start, another one with other sums, and lose it', async () => {
      await using database = await engine.create();
      await store(database, tablesOf(fields, [], []), [
        ['a', 1],
        ['b', 2],
        ['a', 3],
      ]);
      expect(await indexes(database)).toEqual([]);
      const data = [
        { status: 'a', count: 2, size: 4 },
        { status: 'b', count: 1, size: 2 },
      ];
      const tables = tablesOf(fields, ['status'], ['size']);
      expect(await count(database, tables, { by: 'status', sum: ['size'] })).toEqual({ data, total: 3 });
      const [name] = await indexes(database);
      expect(name).toBe('_company.status.desc.with');
      await count(database, tablesOf(fields, ['status'], []), { by: 'status', sum: [] });
      // On PostgreSQL, servers of another version may use one that is there: `npm run migrate` drops it.
      const kept = engine.name === 'SQLite' ? [] : [name];
      expect(await indexes(database)).toEqual([name, ...kept]);
      await count(database, tablesOf(fields, [], ['size']), { sum: ['size'] });
      expect(await indexes(database)).toEqual([...kept, ...kept]);
    });

    test('are of the records of one organization', async () => {
      await using database = await engine.create();
      const tables = tablesOf(fields, ['status'], ['size']);
      await store(database, tables, [
        ['a', 1],
        ['b', 2],
      ]);
      const records = await database.open(tables);
      const other = records.of(mainOrganization + 1);
      const query = { by: 'status', sum: ['size'] };
      expect(await other.ask(countRead, 'company', query)).toEqual({ data: [], total: 0 });
      const values = [`company_${'1'.repeat(26)}`, 'b', 40, 't', 't'];
      await other.write({ op: 'insert', table: 'company', values });
      expect(await other.ask(countRead, 'company', query)).toEqual({
        data: [{ status: 'b', count: 1, size: 40 }],
        total: 1,
      });
      expect(await records.ask(countRead, 'company', { sum: ['size'] })).toEqual({
        data: [{ count: 2, size: 3 }],
        total: 2,
      });
      await records.close();
    });

    test('are of the values that records show: those of renamed values together, and the backfill in place of null', async () => {
      await using database = await engine.create();
      await store(database, tablesOf({ ...fields, status: optional(text()) }, [], []), [
        ['open', 1],
        ['new', 2],
        [null, null],
      ]);
      const now = {
        status: backfilled(oneOf(['open', 'won'], { new: 'open' }), 'won'),
        size: backfilled(integer(), 5),
      };
      const query = { by: 'status', sum: ['size'] };
      expect(await count(database, tablesOf(now, ['status'], ['size']), query)).toEqual({
        data: [
          { status: 'open', count: 2, size: 3 },
          { status: 'won', count: 1, size: 5 },
        ],
        total: 3,
      });
    });
  });
}

describeEngine(sqlite, 'a count', () => {
  test('reads no row if an index has all values', async () => {
    await using database = await sqlite.create();
    const tables = tablesOf(fields, ['status'], ['size']);
    await store(database, tables, []);
    const dml = new Dml(tables, sqliteDialect, features.list);
    const isOpen = { column: 'status', operator: 'eq', values: ['open'] } as const;
    for (const filter of [[], [isOpen]]) {
      const query = { by: 'status', sum: ['size'], filter };
      const { value } = countRead.steps(dml, mainOrganization, 'company', query).next();
      const [statement] = (value as Round).statements;
      const bound = statement?.text.replaceAll(/\?\d+/g, "'open'");
      const plan = await database.query(`explain query plan ${bound}`);
      expect(plan.map((row) => row['detail'])).toEqual([expect.stringMatching(/^SEARCH company USING COVERING INDEX/)]);
    }
  });
});
