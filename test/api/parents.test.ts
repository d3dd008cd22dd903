import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';

import { expectProblem } from '../support/problem.ts';
import { type Stored, create, list, remove, update } from '../support/records.ts';
import { minimalBody } from '../support/samples.ts';
import { emptyParent } from './empty-parent.ts';
import { lineItems, recordNamed, records } from './interface.ts';
import { sharedServer } from './server.ts';

const server = sharedServer();

const withParentHere = lineItems.filter(({ parentResource }) => parentResource !== undefined);
const withParentElsewhere = lineItems.filter(({ parentResource }) => parentResource === undefined);
const withParentRecord = withParentHere.filter(({ parentResource }) =>
  records.some(({ name }) => name === parentResource),
);

const nothing = { data: [], has_more: false, total: 0 };

test('three line items have their parent here, two of them a record', () => {
  expect(withParentHere.map(({ name }) => name)).toEqual([
    'discounted_invoice',
    'repost_payment_ledger_items',
    'appointment_booking_slots',
  ]);
  expect(withParentRecord).toHaveLength(2);
});

describe.each(withParentHere)('$name', (item) => {
  const { path, parentField, parentResource } = item;

  test('the parent must exist', async () => {
    const other = recordNamed('bank_guarantee');
    const otherId = (await create(server, other.path, minimalBody(other))).id;
    for (const missing of [`${parentResource}_0`, 'x', otherId]) {
      expectProblem(await server.request('POST', path, minimalBody(item, missing)), 409, 'parent_missing');
      expect(await list(server, path, { parent_id: missing })).toEqual(nothing);
    }
    expectProblem(await server.request('POST', path, minimalBody(item, '')), 409, 'parent_missing');
  });

  test('an item does not move to a parent that does not exist', async () => {
    const parent = await emptyParent(server, item);
    const created = await create(server, path, minimalBody(item, parent));
    for (const missing of [`${parentResource}_0`, '']) {
      const patch = { idx: 99, [parentField]: missing };
      expectProblem(await server.request('PATCH', `${path}/${created.id}`, patch), 409, 'parent_missing');
    }
    expect((await list(server, path, { parent_id: parent })).data).toEqual([created]);
    expect(await update(server, path, created.id, { [parentField]: parent })).toEqual(created);
  });
});

describe.each(withParentElsewhere)('$name', (item) => {
  test('the parent is any string', async () => {
    for (const parent of ['', 'nowhere', '🙂', ' ', randomUUID()]) {
      expect((await create(server, item.path, minimalBody(item, parent)))[item.parentField]).toBe(parent);
    }
  });
});

describe.each(withParentRecord)('$name', (item) => {
  const { path, parentField } = item;
  const parentType = recordNamed(item.parentResource!);

  test('a deleted parent takes its items with it, and no others', async () => {
    const [gone, kept] = [await emptyParent(server, item), await emptyParent(server, item)];
    const items: Stored[] = [];
    for (let count = 0; count < 25; count += 1) items.push(await create(server, path, minimalBody(item, gone)));
    const other = await create(server, path, minimalBody(item, kept));
    await remove(server, parentType.path, gone);
    expect(await list(server, path, { parent_id: gone })).toEqual(nothing);
    for (const { id } of items) expectProblem(await server.request('PATCH', `${path}/${id}`, {}), 404, 'not_found');
    expectProblem(await server.request('POST', path, minimalBody(item, gone)), 409, 'parent_missing');
    expect(await list(server, path, { parent_id: kept })).toEqual({ data: [other], has_more: false, total: 1 });
  });

  test('an item that moved away outlives the parent it had', async () => {
    const [gone, kept] = [await emptyParent(server, item), await emptyParent(server, item)];
    const { id } = await create(server, path, minimalBody(item, gone));
    const moved = await update(server, path, id, { [parentField]: kept });
    await remove(server, parentType.path, gone);
    expect((await list(server, path, { parent_id: kept })).data).toEqual([moved]);
  });
});
