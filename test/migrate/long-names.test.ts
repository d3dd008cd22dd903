import { expect, test } from 'vitest';

import { integer, optional, text } from '../../runtime/kernel/model/fields.ts';
import { describeEngine, engines, type TestDatabase } from '../support/databases.ts';
import { company } from './tables.ts';

const name = 'company_that_is_known_by_a_long_name';
const fields = { registered_office_in_the_capital: optional(text()), employees_in_the_first_year: optional(integer()) };
const tables = [company(fields, name, undefined, { filter: Object.keys(fields), sort: Object.keys(fields) })];

/** As databases have them since the first version. */
const indexes = [
  '_company_that_is_known_by_a_long_name.em.b2b2e75f9fad8941',
  '_company_that_is_known_by_a_long_name.em.c6ca3dbc0feb66b9',
  '_company_that_is_known_by_a_long_name.re.08e1601d45630ae9',
  '_company_that_is_known_by_a_long_name.re.2cd311ddff475411',
];

const stored = async ({ query }: TestDatabase, engine: string): Promise<unknown[]> => {
  const [column, catalog] =
    engine === 'SQLite' ? ['name', `sqlite_schema where type = 'index'`] : ['indexname', 'pg_indexes where true'];
  const rows = await query(`select ${column} as name from ${catalog} and ${column} like '#_%.%' escape '#' order by 1`);
  return rows.map((row) => row['name']);
};

for (const engine of engines) {
  describeEngine(engine, 'indexes with long names', () => {
    test('are found again by the names that they have', async () => {
      await using database = await engine.create();
      for (let start = 0; start < 2; start++) {
        await (await database.open(tables)).close();
        expect(await stored(database, engine.name)).toEqual(indexes);
      }
      const longer = `_${name}.registered_office_in_the_capital.desc`;
      await database.execute(
        `create index "${longer}" on ${name} (_organization, registered_office_in_the_capital, id)`,
      );
      await (await database.open(tables)).close();
      expect(await stored(database, engine.name)).toEqual(expect.arrayContaining(indexes));
    });
  });
}
