import { expect, test } from 'vitest';

import { refusedByRouter } from '../support/citus-router.ts';
import { createPostgres, describePostgres } from '../support/postgres.ts';

describePostgres('a statement that the router of Citus refuses', () => {
  test('is found without a cluster', async () => {
    await using database = await createPostgres();
    await database.query(
      'create table _lead ("_organization" integer, id text, name text, primary key ("_organization", id))',
    );
    const json = '(select row_to_json(_row)::text from (select id, name) _row)';
    const own = '"_organization" = $1 and id = $2';
    const right = [
      `update _lead set name = $3 where ${own} and octet_length(name) < $4 returning ${json}`,
      `update _lead set name = $3 where ${own} returning case when name = 'a' then 'b' else name end`,
      `with _one as (select id from _lead where ${own} for update) delete from _lead where ${own}`,
      `insert into _lead values ($1, $2, $3) on conflict ("_organization", id) do update set name = excluded.name returning 1`,
      `select array_to_json(array[id])::text, random() from _lead where ${own}`,
    ];
    expect(await refusedByRouter(database.url, right)).toEqual([]);
    const wrong: [reason: string, text: string][] = [
      [
        'STABLE function array_to_json',
        `update _lead set name = $3 where ${own} and array_to_json(array[name])::text <> $4`,
      ],
      ['STABLE function concat', `update _lead set name = concat(name, $3::text) where ${own}`],
      ['STABLE function to_json', `update _lead set name = $3 where ${own} returning to_json(name)`],
      ['STABLE function timestamptz_out', `update _lead set name = now()::text where ${own}`],
      ['STABLE function current_…', `delete from _lead where ${own} and name < cast(current_date as text)`],
      ['VOLATILE function random', `update _lead set name = 'a' where ${own} and random() < 2`],
      [
        'a CASE of a value in a write',
        `update _lead set name = $3 where ${own} returning case name when 'a' then 'b' else name end`,
      ],
      ['an insert in a CTE', `with _new as (insert into _lead values ($1, $2) returning id) select id from _new`],
      ['a subquery or a CTE in an insert', `insert into _lead values ($1, (select $2::text))`],
    ];
    for (const [reason, text] of wrong) {
      const refused = await refusedByRouter(database.url, [text]);
      expect(refused[0], text).toContain(reason);
    }
  });
});
