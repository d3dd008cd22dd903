import { describe, expect, test } from 'vitest';

import type { LineItem } from '../support/resources.ts';
import { expectProblem, expectRefused } from '../support/problem.ts';
import { type ListPage, type Stored, create, list, listAll, pageIn } from '../support/records.ts';
import { minimalBody } from '../support/samples.ts';
import type { Answer } from '../support/server.ts';
import { emptyParent } from './empty-parent.ts';
import { lineItemNamed, lineItems } from './interface.ts';
import { sharedServer } from './server.ts';

const server = sharedServer();

type Entry = { id: string; idx: number };

const at = ({ id }: Stored, idx: number): Entry => ({ id, idx });

const reorder = (item: LineItem, items: unknown): Promise<Answer> =>
  server.request('POST', `${item.path}/reorder`, { items });

async function makeItems(item: LineItem, parent: string, count: number): Promise<Stored[]> {
  const made: Stored[] = [];
  for (let index = 0; index < count; index += 1) made.push(await create(server, item.path, minimalBody(item, parent)));
  return made;
}

describe.each(lineItems)('$name', (item) => {
  const { path } = item;

  test('answers the list of the parent in its new order', async () => {
    const parent = await emptyParent(server, item);
    const items = await makeItems(item, parent, 5);
    const turned = items.toReversed().map((one, index) => ({ ...one, idx: index + 1 }));
    const wanted: ListPage = { data: turned, has_more: false, total: 5 };
    const entries = turned.map((one) => at(one, one.idx));
    const answer = await reorder(item, entries);
    expect(pageIn(answer)).toEqual(wanted);
    expect(await list(server, path, { parent_id: parent })).toEqual(wanted);
  });

  test('leaves the items it does not name where they are', async () => {
    const parent = await emptyParent(server, item);
    const [a, b, c, d] = (await makeItems(item, parent, 4)) as [Stored, Stored, Stored, Stored];
    const page = pageIn(await reorder(item, [at(a, 10), at(c, -1)]));
    const wanted = [{ ...c, idx: -1 }, b, d, { ...a, idx: 10 }];
    expect(page.data).toEqual(wanted);
    expect((await list(server, path, { parent_id: parent })).data).toEqual(wanted);
  });

  test('is all or nothing', async () => {
    const parent = await emptyParent(server, item);
    const items = await makeItems(item, parent, 3);
    const [a, b] = items as [Stored, Stored];
    const moved: Entry[] = [at(a, 50), at(b, 40)];
    const unknown = { id: `${item.name}_0`, idx: 1 };
    for (const entries of [
      [...moved, unknown],
      [unknown, ...moved],
    ]) {
      expectProblem(await reorder(item, entries), 404, 'not_found');
    }
    expectProblem(await reorder(item, [...moved, at(a, 30)]), 422, 'invalid_body');
    expectProblem(await reorder(item, [...moved, moved[0]]), 422, 'invalid_body');
    for (const wrong of [null, 'x', {}, { id: b.id }, { idx: 1 }, { id: b.id, idx: null }, { id: 1, idx: 1 }]) {
      expectProblem(await reorder(item, [moved[0], wrong]), 422, 'invalid_body');
    }
    expectRefused(await reorder(item, [moved[0], { id: b.id, idx: '1' }]), '/items/1/idx');
    expectRefused(await reorder(item, [{ id: b.id, idx: 1.5 }, moved[0]]), '/items/0/idx');
    expectRefused(await reorder(item, [at(b, 9007199254740992)]), '/items/0/idx');
    expectRefused(await reorder(item, [{ ...moved[0], parent_id: 'x' }]), '/items/0/parent_id');
    expect((await list(server, path, { parent_id: parent })).data).toEqual(items);
  });

  test('takes an object with items only', async () => {
    for (const [body, pointer] of [
      [{}, '/items'],
      [{ items: null }, '/items'],
      [{ items: {} }, '/items'],
      [{ items: 'x' }, '/items'],
      [[], ''],
    ] as const) {
      expectRefused(await server.request('POST', `${path}/reorder`, body), pointer);
    }
    const parent = await emptyParent(server, item);
    const [{ id }] = (await makeItems(item, parent, 1)) as [Stored];
    const body = { items: [{ id, idx: 7 }], parent_id: parent };
    expectRefused(await server.request('POST', `${path}/reorder`, body), '/parent_id');
    expect((await list(server, path, { parent_id: parent })).data).toMatchObject([{ id, idx: 1 }]);
  });
});

describe('the number of entries', () => {
  const item = lineItemNamed('pos_item_group');

  test('is 1 to 1,000', async () => {
    const parent = await emptyParent(server, item);
    const body = minimalBody(item, parent);
    const items: Stored[] = [];
    while (items.length < 1001) {
      items.push(...(await Promise.all(Array.from({ length: 77 }, () => create(server, item.path, body)))));
    }
    const before = await listAll(server, item.path, { parent_id: parent });
    const entries = items.map(({ id }, index) => ({ id, idx: 5000 - index }));

    expectRefused(await reorder(item, []), '/items');
    expectRefused(await reorder(item, entries), '/items');
    expect(await listAll(server, item.path, { parent_id: parent })).toEqual(before);

    const answer = pageIn(await reorder(item, entries.slice(0, 1000)));
    expect(answer.total).toBe(1001);
    const after = await listAll(server, item.path, { parent_id: parent });
    expect(answer.data).toEqual(after.slice(0, answer.data.length));
    const wanted = [
      items[1000]!.id,
      ...items
        .slice(0, 1000)
        .map(({ id }) => id)
        .toReversed(),
    ];
    // The item that is not named keeps its idx, one of 1 to 1,001, and so comes before all the others.
    expect(after.map(({ id }) => id)).toEqual(wanted);
  });
});

test('an idx beyond every double is refused as too large', async () => {
  const item = lineItemNamed('pos_item_group');
  const body = '{"items": [{"id": "a", "idx": 1e400}, {"id": "b", "idx": -1e400}, {"id": 1e400, "idx": 1}]}';
  const answer = await server.request('POST', `${item.path}/reorder`, body);
  const { errors } = expectRefused(answer, '/items/0/idx', '/items/1/idx', '/items/2/id');
  expect(errors?.map(({ message }) => message)).toEqual([
    'is too large for a number',
    'is too large for a number',
    'must be a string, not a number',
  ]);
});

describe.each([lineItemNamed('pricing_rule_item_code'), lineItemNamed('pricing_rule_brand')])('$name', (item) => {
  const { path } = item;

  test('the parent is the pair of type and id', async () => {
    const parent_id = await emptyParent(server, item);
    const a = await create(server, path, { parent_id, parent_type: 'one' });
    const b = await create(server, path, { parent_id, parent_type: 'two' });
    const c = await create(server, path, { parent_id, parent_type: 'one' });
    expectProblem(await reorder(item, [at(a, 5), at(b, 6)]), 422, 'invalid_body');
    expect((await list(server, path, { parent_id })).data).toEqual([a, b, c]);
    const { data } = pageIn(await reorder(item, [at(a, 8), at(c, 7)]));
    const turned = [
      { ...c, idx: 7 },
      { ...a, idx: 8 },
    ];
    expect(data.filter(({ parent_type }) => parent_type === 'one')).toEqual(turned);
    expect((await list(server, path, { parent_id })).data).toEqual([b, ...turned]);
  });

  test('items whose parent is null are reordered too', async () => {
    const parent = { parent_id: null, parent_type: 'without a rule' };
    const a = await create(server, path, parent);
    const b = await create(server, path, parent);
    const other = await create(server, path, { ...parent, parent_type: 'another type without a rule' });
    const page = pageIn(await reorder(item, [at(a, 2), at(b, 1)]));
    expect(page.data.filter(({ parent_type }) => parent_type === parent.parent_type)).toEqual([
      { ...b, idx: 1 },
      { ...a, idx: 2 },
    ]);
    expectProblem(await reorder(item, [at(a, 1), at(other, 2)]), 422, 'invalid_body');
    const named = await create(server, path, { parent_id: 'x', parent_type: parent.parent_type });
    expectProblem(await reorder(item, [at(a, 1), at(named, 2)]), 422, 'invalid_body');
  });
});
