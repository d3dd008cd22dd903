import type { OrderHooks } from '../../generated/agency/order.schema.ts';

export const codes = { too_many: 'A customer has three open orders at once.' };

export const beforeCreate: OrderHooks['beforeCreate'] = async ({ record, list, refuse }) => {
  const filter = { customer_id: record.customer_id, status: 'open' } as const;
  const open = await list('agency/order', { filter, limit: 3 });
  if (open.length === 3) refuse('too_many', `${open[0]?.id} comes first.`, 'customer_id');
};

export const beforeFinish: OrderHooks['beforeFinish'] = async ({ record, count, move }) => {
  record.place = await count('agency/order', { filter: { customer_id: record.customer_id, status: 'done' } });
  await move('agency/customer', record.customer_id, 'greet', { until: '2030-01-01' });
};
