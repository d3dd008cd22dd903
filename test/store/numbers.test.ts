import { describe, expect, test } from 'vitest';

import type { Column } from '../../runtime/kernel/model/table.ts';
import { openFile } from '../../runtime/engines/sqlite/connection.ts';
import { sqliteDialect } from '../../runtime/engines/sqlite/dialect.ts';
import { postgres } from '../support/databases.ts';
import { Random } from '../support/random.ts';
import { seed } from '../support/seed.ts';
import { skip } from '../support/skip.ts';
import { company } from './contract.ts';

/** Numbers of every size, whole ones and others, and those that are as near to one double as to another. */
function numbers(): number[] {
  const random = new Random(seed);
  const all = [
    0,
    5,
    1e14,
    1e15,
    999_999_999_999_999.9,
    1e-4,
    9.999e-5,
    1e-7,
    5e-324,
    1 / 3,
    2 ** 53,
    2 ** 54 + 4,
    1e23,
    1e300,
  ];
  const bits = new DataView(new ArrayBuffer(8));
  for (let n = 0; n < 3_000; n++) {
    bits.setUint32(0, random.below(2 ** 32));
    bits.setUint32(4, random.below(2 ** 32));
    if (Number.isFinite(bits.getFloat64(0))) all.push(bits.getFloat64(0));
    all.push(
      random.below(1e9) / 100,
      random.below(10) * 10 ** (random.below(40) - 20),
      2 ** 53 + random.below(2 ** 31) * 2,
      2 ** (53 + random.below(28)) * (1 + random.next()),
    );
  }
  return all.flatMap((value) => [value, 0 - value]);
}

const numberJson = sqliteDialect.valueJson(company.columns.find(({ type }) => type === 'double precision') as Column);

describe('the JSON of a number on SQLite', () => {
  const print = (values: readonly (number | null)[]): string[] => {
    using database = openFile('/dev/null', 'rw');
    database.exec('create temporary table numbers ("default" real)');
    const insert = database.prepare('insert into numbers values (?)');
    for (const value of values) insert.run(value);
    const rows = database.prepare(`select json_array(${numberJson}) as json from numbers order by rowid`).all();
    return rows.map(({ json }) => String(json).slice(1, -1));
  };

  test('is read as the same number', () => {
    const values = numbers();
    expect(print(values).map(Number)).toEqual(values);
    expect(print([null, 5, -0, 0.5, 1e21, 1e-7])).toEqual(['null', '5', '0', '0.5', '1e+21', '1e-07']);
  });

  test('has the same bytes as on PostgreSQL', async (context) => {
    if (postgres.missing !== undefined) return skip(context, postgres.missing);
    await using database = await postgres.create();
    const values = numbers();
    const texts = values.map((value) => `'${value}'`).join(', ');
    const rows = await database.query(
      `select to_json(value::float8)::text as json from unnest(array[${texts}]) with ordinality as given(value, n) order by n`,
    );
    expect(print(values)).toEqual(rows.map((row) => row['json']));
  });
});
