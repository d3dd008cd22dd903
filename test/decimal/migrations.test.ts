import { expect, test } from 'vitest';
import type { z } from 'zod';

import { decimal, integer, number, optional, text } from '../../runtime/kernel/model/fields.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import { company } from '../migrate/tables.ts';
import { runInProcess } from '../server/in-process.ts';
import { service } from '../service/generated/app.ts';
import { citus, describeEngine, engines, serviceName, type TestDatabase, textOf } from '../support/databases.ts';

/** Filters, sorts and uniqueness are by the field: each has an index. */
const tablesOf = (field: z.ZodType<string> | z.ZodType<number>): Table[] => [
  {
    ...company({ fine: optional(field as z.ZodType<string>) }, 'company', undefined, {
      filter: ['fine'],
      sort: ['fine'],
    }),
    unique: [{ fields: ['fine'] }],
  },
];

const start = async (database: TestDatabase, tables: readonly Table[]): Promise<void> =>
  (await database.open(tables)).close();

/** Stores records with these values, whose ids end with their places. */
async function store(database: TestDatabase, tables: readonly Table[], values: readonly unknown[]): Promise<void> {
  const records = await database.open(tables);
  for (const [at, value] of values.entries()) {
    const row = [`company_${String(at).padStart(26, '0')}`, value as string, 't', 't'];
    await records.write({ op: 'insert', table: 'company', values: row });
  }
  await records.close();
}

/** The values of the records, sorted by them. */
async function shown(database: TestDatabase, tables: readonly Table[]): Promise<unknown[]> {
  const records = await database.open(tables);
  const sort = [{ column: 'fine', isDescending: false }];
  const listing = await records.list('company', { limit: 100, offset: 0, sort });
  await records.close();
  const items = await textOf(listing?.items ?? '');
  return (JSON.parse(`[${items}]`) as { fine: unknown }[]).map(({ fine }) => fine);
}

const convert = ({ url }: TestDatabase, tables: readonly Table[]) =>
  runInProcess(
    { ...service, name: serviceName, tables },
    { DATABASE_URL: url },
    'migrate',
    '--convert',
    'company.fine',
  );

const two = tablesOf(decimal({ digits: 12, scale: 2 }));
const four = tablesOf(decimal({ digits: 14, scale: 4 }));

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'a decimal', () => {
    test('gets a larger scale at a start, and a smaller one once no value needs more', async () => {
      await using database = await engine.create();
      await store(database, two, ['-0.50', '10.00', '9.99', null]);
      expect(await shown(database, four)).toEqual(['-0.5000', '9.9900', '10.0000', null]);
      await database.execute(
        engine.name === 'SQLite'
          ? `update company set fine = 99901 where fine = 99900`
          : `update company set fine = 9.9901 where fine = 9.99`,
      );
      await expect(start(database, two)).rejects.toThrow(
        `has values with more than 2 decimals, or too long: company_${'2'.padStart(26, '0')}.`,
      );
      expect(await shown(database, four)).toEqual(['-0.5000', '9.9901', '10.0000', null]);
      await database.execute(`update company set fine = null where id = 'company_${'2'.padStart(26, '0')}'`);
      expect(await shown(database, two)).toEqual(['-0.50', '10.00', null, null]);
    });

    test.each([
      ['texts', text(), ['1.5', '-0.01', '0', null], ['-0.01', '0.00', '1.50', null]],
      ['integers', integer(), [15, -3, null], ['-3.00', '15.00', null]],
      ['numbers', number(), [1.5, -0.01, 0.1, null], ['-0.01', '0.10', '1.50', null]],
    ] as const)('is converted from %s and back', async (_, field, before, after) => {
      await using database = await engine.create();
      const former = tablesOf(field as z.ZodType<string>);
      await store(database, former, before);
      await expect(start(database, two)).rejects.toThrow('--convert company.fine');
      expect(await convert(database, two)).toMatchObject({ code: 0 });
      expect(await shown(database, two)).toEqual(after);
      expect(await convert(database, former)).toMatchObject({ code: 0 });
      const back = (value: string | null): unknown => (value === null || _ === 'texts' ? value : Number(value));
      expect(new Set(await shown(database, former))).toEqual(new Set(after.map(back)));
    });

    test('is made once: a run that was killed behind the conversion is repeated, and does the rest', async () => {
      await using database = await engine.create();
      const former = [...tablesOf(text()), company({ fax: optional(text()) }, 'firm')];
      await store(database, former, ['1.5', '-0.01']);
      const later = [...two, company({}, 'firm')];
      const run = (...args: string[]) =>
        runInProcess(
          { ...service, name: serviceName, tables: later },
          { DATABASE_URL: database.url },
          'migrate',
          '--convert',
          'company.fine',
          '--drop',
          'firm.fax',
          ...args,
        );
      expect(await run()).toMatchObject({ code: 0, stderr: '' });
      // The steps behind a conversion make indexes.
      const indexes = await database.query(
        engine.name === 'SQLite'
          ? `select name from sqlite_schema where type = 'index' and name like '_company.fine.%'`
          : `select relname as name from pg_class where relkind = 'i' and relname like '_company.fine.%'`,
      );
      await database.execute(`drop index "${String(indexes[0]?.['name'])}"`);
      const plan = await run('--plan');
      expect(plan).toMatchObject({ code: 3 });
      expect(plan.stdout).toContain('--convert company.fine: already converted');
      const again = await run();
      expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('create index') as string });
      expect(again.stderr).toContain('--convert company.fine: already converted');
      expect(again.stderr).toContain('--drop firm.fax: already dropped');
      expect((await run('--convert', 'company.fin')).stderr).toContain('--convert company.fin: the spec has no such');
      expect((await run('--drop', 'company.fine')).stderr).toContain('--drop company.fine: only a table');
      expect(await shown(database, later)).toEqual(['-0.01', '1.50']);
    });

    test.each([
      ['text', text(), ['1', '1.005', '-0', '+1', '1e3', ' 1', '', '01', '12345678901234567']],
      ['number', number(), [1, 0.125, 1e21, 1e-7]],
    ] as const)('is not made of a %s that it does not equal', async (_, field, values) => {
      await using database = await engine.create();
      const former = tablesOf(field as z.ZodType<string>);
      await store(database, former, values);
      const { code, stderr } = await convert(database, two);
      expect(code).not.toBe(0);
      expect(stderr).toContain(`${values.length - 1} of its values would not survive`);
      for (const [at, value] of values.entries()) {
        expect(stderr.includes(`company_${String(at).padStart(26, '0')}`), String(value)).toBe(at > 0);
      }
      expect(new Set(await shown(database, former))).toEqual(new Set<unknown>(values));
    });

    test('is unique as a number', async () => {
      await using database = await engine.create();
      await store(database, two, ['9999999999.98', '9999999999.99']);
      await using records = await database.open(two);
      const [first, second] = [0, 1].map((at) => `company_${String(at).padStart(26, '0')}`);
      const third = `company_${'3'.padStart(26, '0')}`;
      const inserted = { op: 'insert', table: 'company', values: [third, '9999999999.99', 't', 't'] } as const;
      expect(await records.write(inserted)).toMatchObject({ outcome: 'not_unique', id: second });
      const set = { fine: '9999999999.99' };
      const change = { op: 'update', table: 'company', id: first ?? '', set, expected: {}, time: 't' } as const;
      expect(await records.write(change)).toMatchObject({ outcome: 'not_unique', id: second });
      expect(await records.write({ ...change, set: { fine: '9999999999.97' } })).toMatchObject({ outcome: 'written' });
    });

    test('becomes no integer if it is none', async () => {
      await using database = await engine.create();
      await store(database, two, ['1.00', '1.50']);
      const { stderr } = await convert(database, tablesOf(integer()));
      expect(stderr).toContain(`would not survive a conversion to bigint and back: company_${'1'.padStart(26, '0')}.`);
    });
  });
}
