import { expect, test } from 'vitest';
import type { z } from 'zod';

import { integer, json, list, optional, text } from '../../runtime/kernel/model/fields.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import { company } from '../migrate/tables.ts';
import { citus, describeEngine, engines, type TestDatabase, textOf } from '../support/databases.ts';

const without = [company({ name: optional(text()) })];
const withField = (field: z.ZodType, isFiltered = false): Table[] => [
  company({ name: optional(text()), extra: field }, 'company', undefined, isFiltered ? { filter: ['extra'] } : {}),
];
const free = withField(optional(json()), true);

const idOf = (place: number): string => `company_${String(place).padStart(26, '0')}`;

async function store(database: TestDatabase, tables: readonly Table[], ...values: readonly (string | null)[]) {
  const records = await database.open(tables);
  for (const [at, value] of values.entries()) {
    const row = [idOf(at), 'a', ...(tables === without ? [] : [value]), 't', 't'];
    await records.write({ op: 'insert', table: 'company', values: row });
  }
  await records.close();
}

/** The field of the records, in the order of creation, as their JSON has it. */
async function shown(database: TestDatabase, tables: readonly Table[]): Promise<string[]> {
  const records = await database.open(tables);
  const sort = [{ column: 'id', isDescending: false }];
  const listing = await records.list('company', { limit: 100, offset: 0, sort });
  await records.close();
  return [...(await textOf(listing?.items ?? '')).matchAll(/"extra":(.*?),"created_at"/g)].map(
    ([, value]) => value ?? '',
  );
}

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'a field of objects of any form', () => {
    test('is added to rows, and keeps its values when lists become one', async () => {
      await using database = await engine.create();
      await store(database, without, null, null);
      expect(await shown(database, free)).toEqual(['null', 'null']);
      await using other = await engine.create();
      await store(other, withField(optional(list(integer()))), '[2,1]', '[]', null);
      expect(await shown(other, free)).toEqual(['[2,1]', '[]', 'null']);
    });

    test('becomes no list while records have other values, which the start names', async () => {
      for (const entry of [integer(), text()] as unknown as readonly z.ZodType<number, number>[]) {
        await using database = await engine.create();
        await store(database, free, '{"2":1,"1":2}', '[[1]]', '[]', '{}', null);
        const start = database.open(withField(optional(list(entry))));
        await expect(start).rejects.toThrow([0, 1, 3].map(idOf).join(', '));
        expect(await shown(database, free)).toEqual(['{"2":1,"1":2}', '[[1]]', '[]', '{}', 'null']);
      }
    });

    test('is no text: the values of one do not become the other', async () => {
      await using database = await engine.create();
      await store(database, withField(optional(text())), '{}');
      await expect(database.open(free)).rejects.toThrow(/company/);
    });
  });
}
