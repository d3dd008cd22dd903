import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';

import type { Service } from '../../runtime/index.ts';
import { compareText } from '../../runtime/kernel/values/text.ts';
import { citus, describeEngine, engines } from '../support/databases.ts';
import { expectProblem } from '../support/problem.ts';
import { generateProject } from '../support/project.ts';
import { Random } from '../support/random.ts';
import { create, type Json, listAll, type Stored } from '../support/records.ts';
import { repeatable, rounds, seed } from '../support/seed.ts';
import { sharedServer } from '../support/server.ts';
import { shop } from './shop.ts';

const project = await generateProject(shop);
const { service } = (await import(join(project, 'generated/app.ts'))) as { service: Service };
const [orders, customers, items, parts] = ['order', 'customer', 'item', 'part'].map((name) => `/api/shop/${name}`) as [
  string,
  string,
  string,
  string,
];

type Query = Record<string, string>;

const fields = {
  status: 'text',
  note: 'text',
  is_paid: 'boolean',
  priority: 'integer',
  ordered_on: 'text',
  customer_id: 'text',
  contact: 'text',
};

/** The exact sum of a field: of decimals a string; of numbers the nearest double. */
function sumOf(records: readonly Stored[], field: string): Json {
  const values = records.flatMap((record) => record[field] ?? []);
  if (field === 'pieces') return values.reduce<number>((sum, value) => sum + Number(value), 0);
  const cents = values.reduce((sum, value) => sum + BigInt(Math.round(Number(value) * 100)), 0n);
  // Each double is a whole number of these units.
  const unit = 2 ** 60;
  if (field === 'weight') return Number(values.reduce((sum, value) => sum + BigInt(Number(value) * unit), 0n)) / unit;
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** The groups of records, as the contract describes them. */
function groupsOf(records: readonly Stored[], by: string | undefined, sums: readonly string[]): Json {
  const groups =
    by === undefined ? new Map([[null, [...records]]]) : Map.groupBy(records, (record) => record[by] ?? null);
  const order = (a: Json, b: Json): number =>
    typeof a === 'string' ? compareText(a, String(b)) : Number(a) - Number(b);
  return [...groups]
    .toSorted(
      ([a, some], [b, others]) => Number(a === null) - Number(b === null) || others.length - some.length || order(a, b),
    )
    .map(([value, some]) => ({
      ...(by !== undefined && { [by]: value }),
      count: some.length,
      ...Object.fromEntries(sums.map((field) => [field, sumOf(some, field)])),
    }));
}

beforeEach(repeatable);

for (const engine of [...engines, citus]) {
  describeEngine(engine, 'counts', () => {
    const server = sharedServer({ project, engine, tables: service.tables });

    const get = (path: string, query: Query = {}) => server.request('GET', `${path}?${new URLSearchParams(query)}`);
    const count = async (path: string, query: Query = {}): Promise<unknown> => {
      const { status, body, text } = await get(`${path}/count`, query);
      expect(status, text).toBe(200);
      return body;
    };
    const createAll = async (path: string, bodies: readonly object[]): Promise<void> => {
      for (let at = 0; at < bodies.length; at += 100) {
        const operations = bodies.slice(at, at + 100).map((body) => ({ method: 'POST', path, body }));
        const { status, text } = await server.request('POST', '/api/batch', { operations });
        expect(status, text).toBe(200);
      }
    };

    test('are those of the records that the list shows, with any filters, searched, archived or not', async () => {
      const random = new Random(seed);
      const owners: string[] = [];
      for (const name of ['Ada', 'Bob', 'Cem']) owners.push((await create(server, customers, { name })).id);
      const orNull = <T>(value: T): T | null => (random.chance(0.15) ? null : value);
      const order = () => ({
        status: orNull(random.of(['open', 'closed', 'lost'])),
        note: orNull(random.of(['rot', 'Rot', 'blau 1', 'blau 2', '', '😀', '\uFFFD', 'rot, blau'])),
        is_paid: orNull(random.chance(0.5)),
        priority: orNull(random.between(-2, 2)),
        ordered_on: orNull(random.of(['2026-01-31', '2026-02-01', '0099-12-31'])),
        customer_id: orNull(random.of(owners)),
        contact: orNull(random.of(['a@b.example', 'A@b.example'])),
        amount: orNull(`${random.between(-1_000_000_000, 1_000_000_000)}.${random.between(10, 99)}`),
        weight: orNull(random.between(-1_000_000, 1_000_000) / 100),
        pieces: orNull(random.between(-1000, 1000)),
      });
      await createAll(orders, Array.from({ length: 150 }, order));
      const all = await listAll(server, orders);
      await Promise.all(
        all.filter(() => random.chance(0.2)).map(({ id }) => server.request('POST', `${orders}/${id}/archive`)),
      );
      const value = (): string => String(random.of(all)[random.of(['status', 'note'])] ?? '');
      const filters: readonly (() => Query)[] = [
        () => ({ status: random.of(['open', 'closed', 'never']) }),
        () => ({ 'status[in]': 'open,lost' }),
        () => ({ 'status[ne]': 'open' }),
        () => ({ 'note[prefix]': random.of(['', 'b', 'rot']) }),
        () => ({ 'note[null]': random.of(['true', 'false']) }),
        () => ({ 'priority[gte]': String(random.between(-2, 2)) }),
        () => ({ is_paid: random.of(['true', 'false']) }),
        () => ({ 'amount[lt]': '0' }),
        () => ({ customer_id: random.of(owners) }),
        () => ({ archived: random.of(['true', 'any', 'false']) }),
        () => ({ q: random.of(['blau', 'rot', 'nichts']) }),
        () => ({ 'id[gt]': random.of(all).id }),
        () => ({ 'created_at[lte]': String(random.of(all)['created_at']) }),
        () => ({ note: value() }),
      ];
      for (let round = 0; round < rounds(60, 600); round++) {
        const query: Query = Object.assign({}, ...Array.from({ length: random.below(4) }, () => random.of(filters)()));
        const by = random.chance(0.15) ? undefined : random.of(Object.keys(fields));
        const sums = random.shuffled(['amount', 'weight', 'pieces']).slice(0, random.below(4));
        const records = await listAll(server, orders, query);
        const asked = { ...query, ...(by !== undefined && { by }), ...(sums.length > 0 && { sum: sums.join() }) };
        const expected = { data: groupsOf(records, by, sums), total: records.length };
        expect([asked, await count(orders, asked)]).toEqual([asked, expected]);
      }
    });

    test('have the keys of a group in their order, and one group without a field', async () => {
      const { text, headers } = await get(`${orders}/count`, {
        by: 'status',
        sum: 'pieces,amount',
        'note[prefix]': '\u{10FFFF}',
      });
      expect(text).toBe('{"data":[],"total":0}');
      expect(headers.get('etag')).toBeNull();
      const one = await get(`${orders}/count`, { sum: 'pieces,amount,weight', 'note[prefix]': '\u{10FFFF}' });
      expect(one.text).toBe('{"data":[{"count":0,"pieces":0,"amount":"0.00","weight":0}],"total":0}');
      const head = await server.request('HEAD', `${orders}/count?by=status`);
      expect([head.status, head.text]).toEqual([200, '']);
    });

    test('refuse what is not declared, naming it, the nearest name and the declared ones', async () => {
      const detail = async (query: Query, path = orders): Promise<string> => {
        const answer = await get(`${path}/count`, query);
        expectProblem(answer, 400, 'invalid_query');
        return (answer.body as { detail: string }).detail;
      };
      expect(await detail({ by: 'statu' })).toBe(
        'The query parameter "by" names "statu", which is not declared for it; did you mean "status"? Declared are ' +
          '"status", "note", "is_paid", "priority", "ordered_on", "customer_id", "contact".',
      );
      expect(await detail({ sum: 'amount,status' })).toBe(
        'The query parameter "sum" names "status", which is not declared for it. Declared are "amount", "weight", "pieces".',
      );
      expect(await detail({ sum: 'name' }, customers)).toBe(
        'The query parameter "sum" names "name", which is not declared for it. No field is.',
      );
      expect(await detail({ by: '' })).toContain('"by" names nothing. Declared are "status"');
      expect(await detail({ by: 'status,note' })).toBe('The query parameter "by" names more than one field.');
      expect(await detail({ sum: 'amount,amount' })).toBe('The query parameter "sum" names a field more than once.');
      for (const name of ['limit', 'offset', 'after', 'sort', 'fields', 'expand']) {
        expect(await detail({ [name]: 'x' })).toContain(`The query parameter "${name}" is unknown`);
      }
      expect(await detail({ statu: 'open' })).toContain('did you mean "status"?');
      expect(await detail({ by: 'unit' }, items)).toBe('The query parameter "parent_id" is required.');
      expectProblem(await get('/api/shop/remark/count'), 404, 'not_found');
      expectProblem(await server.request('POST', `${orders}/count`, {}), 405, 'method_not_allowed');
    });

    test('of integers and numbers that JSON cannot hold are refused; exact ones are not', async () => {
      const limit = Number.MAX_SAFE_INTEGER;
      await createAll(orders, [
        ...[limit, -limit, limit].map((pieces) => ({ note: 'largest', pieces })),
        ...[1.7e308, 1.7e308, -1.7e308].map((weight) => ({ note: 'largest', weight })),
        ...[0.1, 0.1, 0.1, 0.2, 1e15, -1e15].map((weight) => ({ note: 'small', weight })),
      ]);
      const sums = { note: 'largest', sum: 'pieces,weight' };
      expect(await count(orders, sums)).toEqual({ data: [{ count: 6, pieces: limit, weight: 1.7e308 }], total: 6 });
      expect(await count(orders, { note: 'small', sum: 'weight' })).toMatchObject({ data: [{ weight: 0.5 }] });
      await createAll(orders, [{ note: 'largest', pieces: 1, weight: 1.7e308 }]);
      for (const sum of ['pieces', 'weight']) {
        const answer = await get(`${orders}/count`, { note: 'largest', sum });
        expectProblem(answer, 400, 'sum_too_large');
        expect(answer.body).toMatchObject({ detail: `The sum of ${sum} is larger than a number of JSON can be.` });
      }
    });

    test('of more than 100 groups are refused', async () => {
      await createAll(
        customers,
        Array.from({ length: 100 }, (_, n) => ({ name: 'Full', city: `City ${n}` })),
      );
      expect(await count(customers, { by: 'city', q: 'full' })).toMatchObject({ total: 100 });
      await createAll(customers, [{ name: 'Full' }]);
      const answer = await get(`${customers}/count`, { by: 'city', q: 'full' });
      expectProblem(answer, 400, 'too_many_groups');
    });

    test('of line items are those of one parent, or of parents that are kept elsewhere', async () => {
      const [first, second] = [await create(server, orders, {}), await create(server, orders, {})];
      const units = ['kg', 'm', 'kg'];
      for (const { id } of [first, second]) {
        await createAll(
          items,
          units.map((unit, n) => ({ order_id: id, unit, quantity: n + 1 })),
        );
      }
      const data = [
        { unit: 'kg', count: 2, quantity: 4 },
        { unit: 'm', count: 1, quantity: 2 },
      ];
      expect(await count(items, { parent_id: first.id, by: 'unit', sum: 'quantity' })).toEqual({ data, total: 3 });
      expect(await count(items, { parent_id: 'none', by: 'unit' })).toEqual({ data: [], total: 0 });
      const long = 'L1'.repeat(600);
      for (const [id, number] of Object.entries({ A1: 3, A2: 2, B1: 1, [long]: 1 })) {
        await createAll(
          parts,
          units.slice(0, number).map((unit) => ({ parts_list_id: id, unit, quantity: 5 })),
        );
      }
      const byParent = { by: 'parts_list_id' };
      const group = (id: string, number: number) => ({ parts_list_id: id, count: number });
      expect(await count(parts, byParent)).toEqual({
        data: [group('A1', 3), group('A2', 2), group('B1', 1), group(long, 1)],
        total: 7,
      });
      expect(await count(parts, { ...byParent, 'parent_id[prefix]': 'A', unit: 'kg', sum: 'quantity' })).toEqual({
        data: [
          { ...group('A1', 2), quantity: 10 },
          { ...group('A2', 1), quantity: 5 },
        ],
        total: 3,
      });
      expect(await count(parts, { ...byParent, parent_id: long })).toEqual({ data: [group(long, 1)], total: 1 });
      expectProblem(await get(`${parts}/count`, { by: 'unit', 'parent_id[prefix]': 'A' }), 400, 'invalid_query');
    });
  });
}
