import { expect, test } from 'vitest';
import { z } from 'zod';

import { maxFields, maxNameLength } from '../../generator/model/language.ts';
import { openPostgres } from '../support/main-store.ts';
import { jsonOf } from '../support/main-store.ts';
import {
  boolean,
  id,
  integer,
  number,
  optional,
  text,
  timestamp,
  type Value,
} from '../../runtime/kernel/model/fields.ts';
import { listed, record, type Table } from '../../runtime/kernel/model/table.ts';
import { createPostgres, describePostgres } from '../support/postgres.ts';
import { type Fields, insertOf } from './contract.ts';

type Make = (index: number) => z.ZodType<Value>;

function wideTable(count: number, make: Make, searched = 0): Table {
  const fields = Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, optional(make(index))]));
  const times = { created_at: timestamp(), updated_at: timestamp() };
  const search = Object.keys(fields).slice(0, searched);
  return record('w'.repeat(maxNameLength), z.strictObject({ id: id(), ...fields, ...times }), {}, [listed({ search })]);
}

const valuesOf = (count: number, of: (index: number) => Value): Fields =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, of(index)]));

/** Stores a record with these values; what is read then. */
async function store(table: Table, fields: Fields): Promise<unknown> {
  await using database = await createPostgres();
  await using opened = await openPostgres(database.url, [table], true);
  const insert = insertOf(table, fields);
  await opened.write(insert);
  return JSON.parse(String(await jsonOf(opened, table.name, String(insert.values[0]))));
}

// The values of each type that take most room in a row. PostgreSQL moves only values of more than 24 bytes out of it.
const longest: readonly (readonly [string, Make, (index: number) => Value])[] = [
  ['texts of 23 bytes', () => text(), () => 'x'.repeat(23)],
  ['texts of 24 bytes', () => text(), () => 'x'.repeat(24)],
  ['texts that are compressed', () => text(), () => 'x'.repeat(2_000)],
  ['texts that are moved out', () => text(), (index) => String(index).padStart(300, 'xyz')],
  ['numbers beside booleans', (i) => (i % 2 ? number() : boolean()), (i) => (i % 2 ? 1.5 : true)],
  ['integers beside texts', (i) => (i % 2 ? integer() : text()), (i) => (i % 2 ? 2 ** 53 - 1 : 'x'.repeat(23))],
];

describePostgres('a row of PostgreSQL', () => {
  test.each(longest)('holds as many fields as a resource can have: %s', async (_, make, valueOf) => {
    const fields = valuesOf(maxFields, valueOf);
    expect(await store(wideTable(maxFields, make), fields)).toMatchObject(fields);
  });

  test('is searched by as many fields as a resource can have', async () => {
    const fields = valuesOf(maxFields, (index) => String(index).padStart(23, 'xyz'));
    const table = wideTable(maxFields, () => text(), maxFields);
    expect(await store(table, fields)).toMatchObject(fields);
  });

  test('holds the words of a long text in a field with a long name', async () => {
    const name = 'd'.repeat(maxNameLength);
    const fields = { id: id(), [name]: optional(text()), created_at: timestamp(), updated_at: timestamp() };
    const table = record('ticket', z.strictObject(fields), {}, [listed({ search: [name] })]);
    const words = Array.from({ length: 55_000 }, (_, n) => String(100_000 + n));
    expect(await store(table, { [name]: words.join(' ') })).toHaveProperty(name);
  });

  test('that would be larger than a page is refused with a status of the client', async () => {
    const count = 345;
    const fields = valuesOf(count, () => 'x'.repeat(23));
    await expect(
      store(
        wideTable(count, () => text()),
        fields,
      ),
    ).rejects.toMatchObject({ code: 'body_too_large' });
  });
});
