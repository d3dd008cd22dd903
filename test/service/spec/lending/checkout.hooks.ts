import type { CheckoutHooks } from '../../generated/lending/checkout.schema.ts';

export const codes = {
  too_many_checkouts: 'A person can have as many things as the settings allow.',
  blocked_tool: 'The tool cannot be borrowed.',
};

export const beforeCreate: CheckoutHooks['beforeCreate'] = async (input) => {
  const { record, read, update, create, refuse, actor } = input;
  if (record.tool === 'saw') refuse('blocked_tool', 'Nobody borrows the saw.', 'tool');
  if (record.tool === 'new code') refuse('sold_out' as 'blocked_tool', 'It is sold out.');
  await surprise(record.tool);
  await limitTool(input);
  await moveClaim(input);
  const patron = await read('lending/patron', record.patron_id);
  const settings = await read('lending/lending-settings');
  if (!patron) return;
  while (record.tool === 'endless') await update('lending/patron', patron.id, {});
  if (patron.open_checkouts >= settings.most_checkouts) {
    refuse('too_many_checkouts', `${patron.name} has ${patron.open_checkouts} things already.`);
  }
  await update('lending/patron', patron.id, { open_checkouts: patron.open_checkouts + 1 });
  if (record.tool === 'deposit') await create('lending/penalty', { checkout_id: record.id, amount: '5' });
  if (record.tool === 'copied') {
    record.tags = [String(record.contact), record.daily_penalty];
    const penalty = await create('lending/penalty', { checkout_id: record.id });
    record.tags.push(penalty.amount);
  }
  if (record.tool === 'lent for free') record.daily_penalty = '0.00';
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
  if (record.note === 'itemized') {
    record.tags = (await input.items('lending/penalty')).map(({ amount }) => amount);
    record.days_late = await input.count('lending/penalty', { filter: { parent_id: record.id } });
  }
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

type Creating = Parameters<NonNullable<CheckoutHooks['beforeCreate']>>[0];

/** Refuses tools of which there are few, by what is lent. */
async function limitTool({ record, list, count, refuse }: Creating): Promise<void> {
  const { tool } = record;
  if (tool.startsWith('single')) {
    const [other] = await list('lending/checkout', { filter: { tool, status: 'open' }, limit: 1 });
    if (other) refuse('blocked_tool', `It is lent by ${other.id}.`, 'tool');
  }
  if (tool.startsWith('triple') && (await count('lending/checkout', { filter: { tool, status: 'open' } })) >= 3)
    refuse('blocked_tool', 'Three are lent.', 'tool');
  if (tool.startsWith('listed') && record.due_on !== null) {
    const due = {
      'due_on[lte]': record.due_on,
      'status[in]': ['open', 'returned'],
      patron_id: record.patron_id,
    } as const;
    const earlier = await list('lending/checkout', { filter: due, sort: '-due_on' });
    await fetch(process.env['LENDING_AUDIT'] ?? '', { method: 'POST', body: JSON.stringify({ data: { tool } }) });
    record.tags = earlier.map(({ tool: name }) => name);
  }
  if (tool === 'second part') {
    const [first] = await list('lending/checkout', { filter: { tool: 'first part' } });
    if (!first) throw new Error('There is no first part.');
    record.tags = [first.tool];
  }
  if (tool === 'counted') record.days_late = await count('lending/checkout');
  if (tool === 'none of none') {
    const filter = { 'tool[in]': [] };
    record.tags = [
      `${(await list('lending/checkout', { filter })).length} ${await count('lending/checkout', { filter })}`,
    ];
  }
  if (tool === 'wrong list') await list('lending/checkout', { filter: { note: 'x' } as object });
  if (tool === 'null list') await list('lending/checkout', { filter: { tool: null } as object });
  if (tool === 'long list') await list('lending/checkout', { limit: 101 });
}

/** Moves the claim that a tool like `approve claim_01…` names. */
async function moveClaim({ record, read, update, move }: Creating): Promise<void> {
  const [, verb, id = '', word] =
    /^(submit|approve|reject|remind|close|count|settle) (\w+) ?(.*)$/s.exec(record.tool) ?? [];
  if (verb === 'submit') await move('expenses/claim', id, 'submit');
  if (verb === 'approve') await move('expenses/claim', id, 'approve');
  if (verb === 'reject') await move('expenses/claim', id, 'reject', { reason: word ?? '' });
  if (verb === 'remind') await move('expenses/claim', id, 'remind', { until: word ?? null });
  if (verb === 'close') await update('expenses/claim', id, { status: 'approved' } as object);
  if (verb === 'count') await update('expenses/claim', id, { total: '1.00' } as object);
  if (verb !== 'settle') return;
  await update('expenses/claim', id, { cost_center: 'A1' });
  await move('expenses/claim', id, 'submit', { comment: 'by a hook' });
  await move('expenses/claim', id, 'approve');
  const claim = await read('expenses/claim', id);
  record.tags = [String(claim?.status), String(claim?.comment)];
}

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
