import type { OrderHooks } from '../../generated/rental/order.schema.ts';

export const codes = { item_taken: 'An item is in one order on one day.' };

type Input = Parameters<NonNullable<OrderHooks['beforeUpdate']>>[0];

const reserving = ['confirmed', 'handed_out'] as const;

/** Refuses an order that has an item on a day on which another one has it. */
async function requireFree({ record, list, refuse }: Input): Promise<void> {
  const { id, status, item_ids, starts_on, ends_on } = record;
  if (!reserving.some((state) => state === status)) return;
  const days = { 'status[in]': reserving, 'starts_on[lte]': ends_on, 'ends_on[gte]': starts_on };
  for (const item of item_ids ?? []) {
    const orders = await list('rental/order', { filter: { ...days, 'item_ids[has]': item }, limit: 2 });
    const other = orders.find((order) => order.id !== id);
    if (other) refuse('item_taken', `${other.number} has ${item} until ${other.ends_on}.`);
  }
}

async function moveItems({ items, move }: Input, verb: 'hand-out' | 'take-back'): Promise<void> {
  for (const { item_id } of await items('rental/order-line')) await move('rental/item', item_id, verb);
}

export const beforeConfirm: OrderHooks['beforeConfirm'] = async (input) => {
  input.record.item_ids = (await input.items('rental/order-line')).map(({ item_id }) => item_id);
  await requireFree(input);
};

export const beforeExtend: OrderHooks['beforeExtend'] = requireFree;

export const beforeHandOut: OrderHooks['beforeHandOut'] = (input) => moveItems(input, 'hand-out');

export const beforeReturn: OrderHooks['beforeReturn'] = (input) => moveItems(input, 'take-back');

/** The undo of a transition is an update. */
export const beforeUpdate: OrderHooks['beforeUpdate'] = async (input) => {
  await requireFree(input);
  const { before, record } = input;
  if (before.status === 'returned' && record.status === 'handed_out') await moveItems(input, 'hand-out');
  if (before.status === 'handed_out' && record.status === 'confirmed') await moveItems(input, 'take-back');
};
