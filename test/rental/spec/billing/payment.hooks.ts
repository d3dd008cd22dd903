import type { PaymentHooks } from '../../generated/billing/payment.schema.ts';

/** The payment of the balance settles the invoice. */
export const beforeCreate: PaymentHooks['beforeCreate'] = async ({ record, read, move }) => {
  const invoice = await read('billing/invoice', record.invoice_id);
  if (invoice?.balance === record.amount) await move('billing/invoice', invoice.id, 'settle');
};
