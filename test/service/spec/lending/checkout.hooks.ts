import type { CheckoutHooks } from '../../generated/lending/checkout.schema.ts';

export const codes = {
  too_many_checkouts: 'A person can have as many things as the settings allow.',
  blocked_tool: 'The tool cannot be borrowed.',
};

export const beforeCreate: CheckoutHooks['beforeCreate'] = async ({ record, read, update, create, refuse, actor }) => {
  if (record.tool === 'saw') refuse('blocked_tool', 'Nobody borrows the saw.', 'tool');
  if (record.tool === 'new code') refuse('sold_out' as 'blocked_tool', 'It is sold out.');
  await surprise(record.tool);
  const patron = await read('lending/patron', record.patron_id);
  const settings = await read('lending/lending-settings');
  if (!patron) return;
  while (record.tool === 'endless') await update('lending/patron', patron.id, {});
  if (patron.open_checkouts >= settings.most_checkouts) {
    refuse('too_many_checkouts', `${patron.name} has ${patron.open_checkouts} things already.`);
  }
  await update('lending/patron', patron.id, { open_checkouts: patron.open_checkouts + 1 });
  if (record.tool === 'deposit') await create('lending/penalty', { checkout_id: record.id, amount: '5' });
  if (record.tool === 'wrong value') record.due_on = 'tomorrow';
  if (record.tool === 'lost patron') await update('lending/patron', 'patron_0', { open_checkouts: 0 });
  if (record.tool === 'itself') await update('lending/checkout', record.id, { due_on: '2030-01-01' });
  if (record.tool === 'lost checkout') await create('lending/penalty', { checkout_id: 'checkout_0', amount: '1' });
  record.tags = [...(record.tags ?? []), `by ${actor}`];
};

export const beforeUpdate: CheckoutHooks['beforeUpdate'] = async ({ record, before, read, update, refuse }) => {
  if (record.tool !== before.tool) refuse('blocked_tool', 'A tool is not exchanged.', 'tool');
  record.tags = record.due_on === before.due_on ? record.tags : [...(record.tags ?? []), 'extended'];
  if (record.due_on === '2001-01-01') await update('lending/checkout', record.id, { due_on: '2030-01-01' });
  // The undo of a return.
  if (before.status === 'open' || record.status === 'returned') return;
  const patron = await read('lending/patron', record.patron_id);
  if (patron) await update('lending/patron', patron.id, { open_checkouts: patron.open_checkouts + 1 });
};

export const beforeReturn: CheckoutHooks['beforeReturn'] = async (input) => {
  const { record, before, read, update, create, refuse } = input;
  if (record.note === 'broken') refuse('blocked_tool', 'It is mended first.', 'note');
  const patron = await read('lending/patron', record.patron_id);
  if (patron) await update('lending/patron', patron.id, { open_checkouts: patron.open_checkouts - 1 });
  if (before.due_on === null || record.returned_at === null) return;
  const days = Math.floor((Date.parse(record.returned_at) - Date.parse(before.due_on)) / 86_400_000);
  if (days <= 0) return;
  record.days_late = days;
  const settings = await read('lending/lending-settings');
  const amount = Math.min(days * Number(settings.penalty_per_day), 9_999.99).toFixed(2);
  await create('lending/penalty', { checkout_id: record.id, amount });
};

export const beforeDelete: CheckoutHooks['beforeDelete'] = async ({ record, read, update }) => {
  if (record.status !== 'open') return;
  const patron = await read('lending/patron', record.patron_id);
  if (patron) await update('lending/patron', patron.id, { open_checkouts: patron.open_checkouts - 1 });
};

/** The desk of the workshop, which is told of what is borrowed; undefined if it need not be. */
const desk = process.env['LENDING_DESK'];

export const afterCreate: CheckoutHooks['afterCreate'] | undefined = desk === undefined ? undefined : tellDesk(desk);
export const afterUpdate = afterCreate;

/** Tells the desk, and counts the returns of a person. */
export const afterReturn: CheckoutHooks['afterReturn'] | undefined =
  desk === undefined
    ? undefined
    : async (input) => {
        const { event, read, update } = input;
        const checkout = await read('lending/checkout', event.record);
        const patron = checkout && (await read('lending/patron', checkout.patron_id));
        if (patron) await update('lending/patron', patron.id, { returns: patron.returns + 1 });
        if (checkout?.note === 'late') await update('lending/checkout', checkout.id, { due_on: '2030-01-01' });
        await tellDesk(desk)(input);
      };

/** Posts an event to the desk. */
function tellDesk(url: string): NonNullable<typeof afterCreate> {
  return async ({ event }) => {
    const { number, operation, record, changes } = event;
    if (changes.tool?.[1] === 'thrown later') throw Object.create(null);
    const data = { number, operation, record, due_on: changes.due_on?.[1] ?? null, pid: process.pid };
    const response = await fetch(url, { method: 'POST', body: JSON.stringify({ data }) });
    if (!response.ok) throw new Error(`The desk does not take event ${number}.`);
  };
}

/** Faults that tests provoke. */
async function surprise(tool: string): Promise<void> {
  if (tool === 'slow') await new Promise((resolve) => setTimeout(resolve, 3_000));
  if (tool === 'broken') throw new Error('The hook is broken.');
  if (tool === 'thrown') throw { reason: 'The hook throws what is no error.' };
  if (tool === 'thrown bare') throw Object.create(null);
}
