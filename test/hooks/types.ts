/** Code of hooks, with the mistakes that the compiler must refuse: it is compiled, and never run. */
import type { Hooks } from '../../runtime/index.ts';
import type { CheckoutHooks } from '../service/generated/lending/checkout.schema.ts';
import type { Resources } from '../service/generated/resources.ts';

export const beforeReturn: CheckoutHooks['beforeReturn'] = async ({ read, list, count, items, move, update }) => {
  const settings = await read('lending/lending-settings');
  settings.most_checkouts.toFixed();
  // @ts-expect-error a record may be missing
  (await read('lending/patron', 'patron_0')).name.trim();

  const [first] = await list('expenses/claim', {
    filter: { 'total[gt]': '5', 'status[in]': ['draft'] },
    sort: '-total',
  });
  first?.title.trim();
  await list('lending/patron');
  await count('lending/checkout', { filter: { 'days_late[gte]': 3, 'due_on[null]': true } });
  await count('lending/penalty', { filter: { parent_id: 'checkout_0' } });
  // @ts-expect-error the line items of no parent
  await count('lending/penalty');
  // @ts-expect-error no filter is declared for it
  await list('expenses/claim', { filter: { title: 'x' } });
  // @ts-expect-error the values of `in` are an array
  await list('expenses/claim', { filter: { 'status[in]': 'draft' } });
  // @ts-expect-error no such state
  await list('expenses/claim', { filter: { 'status[in]': ['drafted'] } });
  // @ts-expect-error a number
  await list('lending/checkout', { filter: { days_late: 'three' } });
  // @ts-expect-error no order by it
  await list('expenses/claim', { sort: 'title' });
  // @ts-expect-error settings are no list
  await list('lending/lending-settings');

  const [penalty] = await items('lending/penalty');
  penalty?.amount.trim();
  // @ts-expect-error line items of another resource
  await items('expenses/claim-item');

  await move('expenses/claim', 'claim_0', 'submit');
  await move('expenses/claim', 'claim_0', 'submit', { comment: 'x' });
  await move('expenses/claim', 'claim_0', 'reject', { reason: 'x' });
  // @ts-expect-error it needs a reason
  await move('expenses/claim', 'claim_0', 'reject');
  // @ts-expect-error it takes no input
  await move('expenses/claim', 'claim_0', 'approve', {});
  // @ts-expect-error there is no such transition
  await move('expenses/claim', 'claim_0', 'return');
  // @ts-expect-error it has no transitions
  await move('lending/patron', 'patron_0', 'return');

  await update('expenses/claim', 'claim_0', { notes: 'x' });
  // @ts-expect-error it is computed
  await update('expenses/claim', 'claim_0', { total: '1.00' });
  // @ts-expect-error the sequence sets it
  await update('sales/receipt', 'receipt_0', { number: 'R-2026-0001' });
  // @ts-expect-error each request sets it
  await update('expenses/claim', 'claim_0', { edited_by: 'me' });
  // @ts-expect-error only transitions set it
  await update('expenses/claim', 'claim_0', { status: 'draft' });
};

type CreateHook<P extends keyof Resources> = NonNullable<Hooks<Resources, P, 'Create'>['beforeCreate']>;

export const beforeReceipt: CreateHook<'sales/receipt'> = ({ record }) => {
  record.payer.trim();
  record.number?.trim();
  // @ts-expect-error it has no number yet
  record.number.trim();
};

export const beforeClaim: CreateHook<'expenses/claim'> = async ({ record, read, create }) => {
  record.status.trim();
  record.opened_by?.trim();
  // @ts-expect-error no total is computed yet
  record.total.trim();
  (await read('expenses/claim', record.id))?.total.trim();
  const item = await create('expenses/claim-item', { claim_id: record.id, amount: '1.00' });
  item.amount.trim();
  // @ts-expect-error it has no place yet
  item.idx.toFixed();
};
