import { expect, test } from 'vitest';
import type { z } from 'zod';

import {
  date,
  defaulted,
  integer,
  list,
  type Lists,
  oneOf,
  optional,
  text,
} from '../../runtime/kernel/model/fields.ts';
import type { Table } from '../../runtime/kernel/model/table.ts';
import { company } from '../migrate/tables.ts';
import { citus, describeEngine, engines, type TestDatabase, textOf } from '../support/databases.ts';

const id = (place: number): string => `company_${String(place).padStart(26, '0')}`;

const tablesOf = (tags?: z.ZodType, filter: readonly string[] = []): Table[] => [
  company(tags ? { tags } : {}, 'company', undefined, { filter }),
];

/** Companies with the lists of a field. */
const listsOf = (of: z.ZodType<string | number>, filter?: readonly string[]): Table[] =>
  tablesOf(optional(list(of as z.ZodType<string, string>) as z.ZodType<string[]> & Lists), filter);

const start = async (database: TestDatabase, tables: readonly Table[]): Promise<void> =>
  (await database.open(tables)).close();

/** Stores records whose ids end with their places. @param lists of each, if the tables have lists */
async function store(database: TestDatabase, tables: readonly Table[], lists: readonly unknown[]): Promise<void> {
  const records = await database.open(tables);
  for (const [at, value] of lists.entries()) {
    const json = value === undefined ? [] : [value && JSON.stringify(value)];
    await records.write({ op: 'insert', table: 'company', values: [id(at), ...(json as string[]), 't', 't'] });
  }
  await records.close();
}

/** The lists of the records, the newest first. @param value one that they have */
async function shown(database: TestDatabase, tables: readonly Table[], value?: string | number): Promise<unknown[]> {
  const records = await database.open(tables);
  const filter = value === undefined ? [] : [{ column: 'tags', operator: 'has', values: [value] } as const];
  const listing = await records.list('company', { limit: 100, offset: 0, filter });
  await records.close();
  const items = JSON.parse(`[${await textOf(listing?.items ?? '')}]`) as { tags: unknown }[];
  return items.map(({ tags }) => tags);
}

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'a list', () => {
    test('comes with its default to the rows that are there', async () => {
      await using database = await engine.create();
      await store(database, tablesOf(), [undefined, undefined]);
      const tags = defaulted(list(text()), ['new', "o'clock"]);
      expect(await shown(database, tablesOf(tags, ['tags']), 'new')).toEqual([
        ['new', "o'clock"],
        ['new', "o'clock"],
      ]);
    });

    test('is filtered once rows are there, and no longer', async () => {
      await using database = await engine.create();
      await store(database, listsOf(integer()), [[1, 2], [], null, [2]]);
      expect(await shown(database, listsOf(integer(), ['tags']), 2)).toEqual([[2], [1, 2]]);
      expect(await shown(database, listsOf(integer()))).toEqual([[2], null, [], [1, 2]]);
    });

    test.each([
      ['strings', text(), 'integers', integer(), [['a', '1'], [], null, ['2']]],
      ['integers', integer(), 'strings', text(), [[1, -2], [], null, [0]]],
      ['dates', date(), 'integers', integer(), [['2026-02-28'], [], null, ['2026-02-28']]],
    ] as const)('of %s stays one until no row has any', async (_, before, is, after, lists) => {
      await using database = await engine.create();
      await store(database, listsOf(before), lists);
      await expect(start(database, listsOf(after)), is).rejects.toThrow(
        `Column "tags" of table "company" holds no list of ${is} in 2 rows: ${id(0)}, ${id(3)}. Give the field a new name`,
      );
      expect(await shown(database, listsOf(before))).toEqual(lists.toReversed());
      await database.execute(`update company set tags = '[]' where id <> '${id(1)}'`);
      expect(await shown(database, listsOf(after))).toEqual([[], [], [], []]);
    });

    test('is limited more closely without a change of its rows', async () => {
      await using database = await engine.create();
      await store(database, listsOf(text(), ['tags']), [['a', 'a', 'b']]);
      const narrow = list(oneOf(['c']), { max: 1, unique: true }) as unknown as z.ZodType<string[]> & Lists;
      expect(await shown(database, tablesOf(optional(narrow), ['tags']), 'a')).toEqual([['a', 'a', 'b']]);
    });

    test.each([
      ['a text', text()],
      ['an integer', integer()],
    ] as const)('is never made of %s, nor that of it', async (_, field) => {
      await using database = await engine.create();
      const single = tablesOf(optional(field as z.ZodType<string>));
      await start(database, single);
      await expect(start(database, listsOf(text()))).rejects.toThrow('Give the field a new name');
      await start(database, single);
    });
  });
}
