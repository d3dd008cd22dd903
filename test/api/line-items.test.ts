import { describe, expect, test } from 'vitest';

import { expectProblem, expectRefused, wordsOf } from '../support/problem.ts';
import { type Stored, create, list, listAll, remove, storedIn, update } from '../support/records.ts';
import { fieldsAfter, fullBody, idPattern, keysOf, minimalBody } from '../support/samples.ts';
import { emptyParent } from './empty-parent.ts';
import { lineItemNamed, lineItems } from './interface.ts';
import { sharedServer } from './server.ts';

const server = sharedServer();

describe.each(lineItems)('$name', (item) => {
  const { name, path, fields, parentField } = item;
  const newParent = (): Promise<string> => emptyParent(server, item);
  const add = (parent: string, fieldsToo = {}): Promise<Stored> =>
    create(server, path, { ...minimalBody(item, parent), ...fieldsToo });
  const numbers = async (parent: string): Promise<unknown[]> =>
    (await listAll(server, path, { parent_id: parent })).map(({ idx }) => idx);

  test('create with only the required fields fills in every default, and null elsewhere', async () => {
    const parent = await newParent();
    const body = minimalBody(item, parent);
    const answer = await server.request('POST', path, body);
    const created = storedIn(answer, 201);
    expect(Object.keys(created)).toEqual(keysOf(item));
    expect(created).toEqual({
      ...fieldsAfter(item, body),
      id: expect.stringMatching(idPattern(item)),
      idx: 1,
    });
    expect(new URL(answer.headers.get('location') ?? '', server.url).href).toBe(`${server.url}${path}/${created.id}`);
  });

  test.each([0, 1])('create with every field gives every value back exactly (values %i)', async (seed) => {
    const body = fullBody(item, await newParent(), seed);
    const { id, ...values } = await create(server, path, body);
    expect(values).toEqual(body);
    expect(id).toMatch(idPattern(item));
  });

  const required = fields.filter(([, , options]) => options?.required).map(([field]) => field);

  test.each(required)('create without the required %s is refused and stores nothing', async (field) => {
    const parent = await newParent();
    const { [field]: _, ...rest } = fullBody(item, parent);
    expectRefused(await server.request('POST', path, rest), `/${field}`);
    expect(await numbers(parent)).toEqual([]);
  });

  test('create without any required field names them all', async () => {
    expectRefused(await server.request('POST', path, {}), ...required.map((field) => `/${field}`));
  });

  test('every operation answers the same item', async () => {
    const parent = await newParent();
    const created = await create(server, path, fullBody(item, parent));
    const asText = JSON.stringify(created);
    expect(JSON.stringify((await list(server, path, { parent_id: parent })).data)).toBe(`[${asText}]`);
    expect(JSON.stringify(await update(server, path, created.id, {}))).toBe(asText);
    expect(JSON.stringify(await update(server, path, created.id, created))).toBe(asText);
    const reordered = await server.request('POST', `${path}/reorder`, {
      items: [{ id: created.id, idx: created['idx'] }],
    });
    expect(JSON.stringify((reordered.body as { data: unknown }).data)).toBe(`[${asText}]`);
  });

  test('an item is not retrieved by its id', async () => {
    const { id } = await add(await newParent());
    const answer = await server.request('GET', `${path}/${id}`);
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')?.split(/, */).toSorted()).toEqual(['DELETE', 'PATCH']);
  });

  test('delete answers the id, and the item is gone for good', async () => {
    const parent = await newParent();
    const [kept, { id }] = [await add(parent), await add(parent)];
    const answer = await server.request('DELETE', `${path}/${id}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ id, deleted: true });
    expectProblem(await server.request('DELETE', `${path}/${id}`), 404, 'not_found');
    expectProblem(await server.request('PATCH', `${path}/${id}`, {}), 404, 'not_found');
    expect(await list(server, path, { parent_id: parent })).toEqual({ data: [kept], has_more: false, total: 1 });
  });

  test('an unknown id is not found', async () => {
    for (const id of [`${name}_0`, 'x', '%00', 'a%2Fb']) {
      expectProblem(await server.request('PATCH', `${path}/${id}`, {}), 404, 'not_found');
      expectProblem(await server.request('DELETE', `${path}/${id}`), 404, 'not_found');
    }
  });

  describe('idx', () => {
    test('without one, an item comes after the last of its parent, from 1', async () => {
      const parent = await newParent();
      for (const idx of [1, 2, 3]) expect((await add(parent))['idx']).toBe(idx);
      const { id } = await add(parent, { idx: 10 });
      expect((await add(parent))['idx']).toBe(11);
      await update(server, path, id, { idx: 20 });
      const last = await add(parent);
      expect(last['idx']).toBe(21);
      await remove(server, path, last.id);
      expect((await add(parent))['idx']).toBe(21);
      expect(await numbers(parent)).toEqual([1, 2, 3, 11, 20, 21]);
    });

    test('a given one is taken, duplicates and negatives too', async () => {
      const parent = await newParent();
      for (const idx of [5, 5, -3, 0, 5, -9007199254740991]) expect((await add(parent, { idx }))['idx']).toBe(idx);
      expect(await numbers(parent)).toEqual([-9007199254740991, -3, 0, 5, 5, 5]);
      expect((await add(parent))['idx']).toBe(6);
    });

    test('after the largest integer there is no wrong one', async () => {
      const parent = await newParent();
      await add(parent, { idx: 9007199254740991 });
      const answer = await server.request('POST', path, minimalBody(item, parent));
      if (answer.status === 201) expect((answer.body as Stored)['idx']).toSatisfy(Number.isSafeInteger);
      else expect(answer.status).toSatisfy((status: number) => status === 409 || status === 422);
    });

    test('null is refused on create and update', async () => {
      const parent = await newParent();
      const created = await add(parent);
      const body = { ...minimalBody(item, parent), idx: null };
      expectRefused(await server.request('POST', path, body), '/idx');
      expectRefused(await server.request('PATCH', `${path}/${created.id}`, { idx: null }), '/idx');
      expect((await list(server, path, { parent_id: parent })).data).toEqual([created]);
    });
  });

  describe('the list', () => {
    test('needs a parent', async () => {
      for (const query of ['', '?limit=1', '?parent_i=x', '?parentid=x', '?parent_id=x&parent_id=x']) {
        const answer = await server.request('GET', path + query);
        expect(wordsOf(expectProblem(answer, 400, 'invalid_query'))).toContain('parent_id');
      }
    });

    test('of an unknown parent is empty', async () => {
      for (const parent of ['unknown', `${name}_0`, '🙂', 'a b&c=d%', "' or 1=1 --", 'x'.repeat(500)]) {
        expect(await list(server, path, { parent_id: parent })).toEqual({ data: [], has_more: false, total: 0 });
      }
    });

    test('goes by idx, then by creation, and holds 20 by default', async () => {
      const parent = await newParent();
      const created: Stored[] = [];
      for (let count = 0; count < 25; count += 1) created.push(await add(parent, { idx: 3 - (count % 4) }));
      const sorted = created.toSorted((one, other) => Number(one['idx']) - Number(other['idx'])); // a stable sort
      const query = { parent_id: parent };
      expect(await list(server, path, query)).toEqual({ data: sorted.slice(0, 20), has_more: true, total: 25 });
      for (const [limit, offset] of [
        [1, 0],
        [7, 3],
        [25, 0],
        [24, 0],
        [1000, 20],
        [5, 20],
        [5, 25],
      ] as const) {
        expect(await list(server, path, { ...query, limit, offset })).toEqual({
          data: sorted.slice(offset, offset + limit),
          has_more: offset + limit < 25,
          total: 25,
        });
      }
      expect(await listAll(server, path, query, 4)).toEqual(sorted);
    });

    if (item.parentResource !== 'appointment_booking_settings') {
      test('shows the items of its parent only', async () => {
        const [one, other] = [await newParent(), await newParent()];
        const [first, second] = [await add(one), await add(other)];
        expect((await list(server, path, { parent_id: one })).data).toEqual([first]);
        expect((await list(server, path, { parent_id: other })).data).toEqual([second]);
      });

      test('follows an item that moves to another parent and keeps its idx', async () => {
        const [one, other] = [await newParent(), await newParent()];
        const [stays, moves] = [await add(one), await add(one)];
        const moved = await update(server, path, moves.id, { [parentField]: other });
        expect(moved).toEqual({ ...moves, [parentField]: other });
        expect(await list(server, path, { parent_id: one })).toEqual({ data: [stays], has_more: false, total: 1 });
        expect(await list(server, path, { parent_id: other })).toEqual({ data: [moved], has_more: false, total: 1 });
        expect((await add(one))['idx']).toBe(2);
        expect((await add(other))['idx']).toBe(3);
      });
    }
  });
});

describe.each([lineItemNamed('pricing_rule_item_code'), lineItemNamed('pricing_rule_brand')])('$name', (item) => {
  const { path } = item;
  let count = 0;
  const newType = (): string => `type ${(count += 1)}`;

  test('parent_id may be null, but not left out', async () => {
    const created = await create(server, path, { parent_id: null, parent_type: newType() });
    expect(created).toMatchObject({ parent_id: null, idx: 1 });
    expectRefused(await server.request('POST', path, { parent_type: newType() }), '/parent_id');
    const named = await create(server, path, { parent_id: 'rule', parent_type: newType() });
    expect(await update(server, path, named.id, { parent_id: null })).toEqual({ ...named, parent_id: null });
    expect(await update(server, path, named.id, { parent_id: 'rule' })).toEqual(named);
  });

  test('parent_type must be given, and is never null', async () => {
    expectRefused(await server.request('POST', path, { parent_id: 'rule' }), '/parent_type');
    expectRefused(await server.request('POST', path, { parent_id: 'rule', parent_type: null }), '/parent_type');
    expectRefused(await server.request('POST', path, {}), '/parent_id', '/parent_type');
  });

  test('idx counts within the pair of type and id', async () => {
    const [one, other] = [newType(), newType()];
    const id = await emptyParent(server, item);
    const next = async (parent_type: string, parent_id: string | null): Promise<unknown> =>
      (await create(server, path, { parent_type, parent_id }))['idx'];
    expect([await next(one, id), await next(one, id), await next(one, id)]).toEqual([1, 2, 3]);
    expect([await next(other, id), await next(other, id)]).toEqual([1, 2]);
    expect([await next(one, null), await next(one, null), await next(other, null)]).toEqual([1, 2, 1]);
    expect(await next(one, id)).toBe(4);
  });

  test('the list takes the id alone, whatever the type', async () => {
    const id = await emptyParent(server, item);
    const [one, other] = [newType(), newType()];
    const created: Stored[] = [];
    for (const parent_type of [one, other, one, other]) {
      created.push(await create(server, path, { parent_type, parent_id: id }));
    }
    await create(server, path, { parent_type: one, parent_id: null });
    const sorted = created.toSorted((a, b) => Number(a['idx']) - Number(b['idx']));
    expect(await list(server, path, { parent_id: id })).toEqual({ data: sorted, has_more: false, total: 4 });
  });
});
