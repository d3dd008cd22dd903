// Generated from spec/accounts/payment-reconciliation-payment.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { counted, creatable, field, listed, optional, query, record, updatable } from '../../runtime/index.ts';

/** A payment that is waiting to be matched with the invoices it settles. */
export const PaymentReconciliationPayment = z.strictObject({
  id: field.id(),
  reference_type: optional(field.text()),
  reference_name: optional(field.text()),
  posting_date: optional(field.date()),
  /** Tells in words whether the payment is an advance. */
  is_advance: optional(field.text()),
  reference_row: optional(field.text()),
  amount: optional(field.number()),
  currency: optional(field.text()),
  difference_amount: optional(field.number()),
  exchange_rate: optional(field.number()),
  cost_center: optional(field.text()),
  remarks: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type PaymentReconciliationPayment = z.infer<typeof PaymentReconciliationPayment>;

export const PaymentReconciliationPaymentCreate = creatable(PaymentReconciliationPayment);
export const PaymentReconciliationPaymentUpdate = updatable(PaymentReconciliationPayment);
export const PaymentReconciliationPaymentQuery = query(PaymentReconciliationPayment, {
  filter: ['reference_type', 'reference_name', 'posting_date', 'currency'],
  sort: ['posting_date', 'amount'],
  search: ['reference_name', 'remarks'],
});
export const paymentReconciliationPaymentTable = record(
  'payment_reconciliation_payment',
  PaymentReconciliationPayment,
  { path: 'accounts/payment-reconciliation-payment' },
  [listed(PaymentReconciliationPaymentQuery), counted({ by: ['reference_type', 'currency'], sum: ['amount'] })],
);
