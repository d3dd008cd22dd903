import { expect, test } from 'vitest';

import { Filler } from '../../runtime/data/demo/fill.ts';
import { makeUnique } from '../../runtime/data/demo/unique.ts';
import { Api } from '../../runtime/data/transfer/api.ts';
import { writableResources } from '../../runtime/data/transfer/resource.ts';
import { date, id, integer, optional, text, type Value } from '../../runtime/kernel/model/fields.ts';
import { record } from '../../runtime/kernel/model/table.ts';
import { z } from 'zod';
import { service } from '../service/generated/app.ts';
import { listAll } from '../support/records.ts';
import { startServer, testKey } from '../support/server.ts';
import { unique } from '../../runtime/features/unique/columns.ts';

test('demo records have unique values, also beside those of an earlier run', async () => {
  await using server = await startServer();
  const resources = writableResources(service.tables).filter(({ name }) => name.startsWith('register/'));
  // Again at once, and once more.
  for (const count of [150, 50, 50]) {
    const api = new Api({ url: server.url, key: testKey });
    expect(await new Filler(api, { count, seed: 1 }, () => {}).fill(resources)).toEqual([]);
  }
  const members = await listAll(server, '/api/register/member');
  expect(members.length).toBeGreaterThan(100);
  const emails = members.flatMap(({ email }) => email ?? []);
  expect(emails.length).toBeGreaterThan(50);
  expect(new Set(emails).size).toBe(emails.length);
});

test('a unique value keeps the rules of its field; otherwise it is null, or there is no record', () => {
  const fields = {
    id: id(),
    isbn: optional(text({ pattern: /^\d{13}$/ })),
    code: optional(text({ pattern: /^C-\d{4}$/ })),
    day: optional(date()),
    place: optional(integer({ max: 3 })),
  };
  const made = (
    keys: string[][],
    body: Record<string, Value>,
    shape: Readonly<Record<string, z.ZodType>> = fields,
  ): Value[] | undefined => {
    const table = record(
      'book',
      z.strictObject(shape),
      {},
      keys.map((names) => unique(names)),
    );
    return makeUnique(table, body, 17, 0, () => undefined) ? Object.values(body) : undefined;
  };
  expect(made([['isbn']], { isbn: '9780000000000' })).toEqual(['0000000000017']);
  expect(made([['code']], { code: 'C-0001' })).toEqual(['C-0017']);
  expect(made([['code', 'day']], { code: 'C-0001', day: '2026-01-01' })).toEqual(['C-0001', '2026-01-18']);
  expect(made([['place']], { place: 1 })).toEqual([null]);
  expect(made([['place']], { place: 1 }, { id: id(), place: integer({ max: 3 }) })).toBe(undefined);
});

test('a unique key of references names another combination of records each time, until there is none', () => {
  const shape = z.strictObject({ id: id(), book_id: text(), member_id: text() });
  const table = record('loan', shape, {}, [unique(['book_id', 'member_id'])]);
  const ids: Readonly<Record<string, string[]>> = { book_id: ['b1', 'b2'], member_id: ['m1', 'm2', 'm3'] };
  const pairs = Array.from({ length: 7 }, (_, turn) => {
    const body: Record<string, Value> = { book_id: 'b1', member_id: 'm1' };
    return makeUnique(table, body, 1, turn, (field) => ids[field]) ? `${body['book_id']} ${body['member_id']}` : 'none';
  });
  expect(new Set(pairs.slice(0, 6)).size).toBe(6);
  expect(pairs[6]).toBe('none');
});
