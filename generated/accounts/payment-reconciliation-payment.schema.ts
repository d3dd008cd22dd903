// Generated from spec/accounts/payment-reconciliation-payment.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, date, id, number, optional, record, text, timestamp, updatable } from '../../runtime/index.ts';

/** A payment that is waiting to be matched with the invoices it settles. */
export const PaymentReconciliationPayment = z.strictObject({
  id: id(),
  reference_type: optional(text()),
  reference_name: optional(text()),
  posting_date: optional(date()),
  /** Whether the payment is an advance. Text and not a boolean. */
  is_advance: optional(text()),
  reference_row: optional(text()),
  amount: optional(number()),
  currency: optional(text()),
  difference_amount: optional(number()),
  exchange_rate: optional(number()),
  cost_center: optional(text()),
  remarks: optional(text()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type PaymentReconciliationPayment = z.infer<typeof PaymentReconciliationPayment>;

export const PaymentReconciliationPaymentCreate = creatable(PaymentReconciliationPayment);
export const PaymentReconciliationPaymentUpdate = updatable(PaymentReconciliationPayment);
export const paymentReconciliationPaymentTable = record('payment_reconciliation_payment', PaymentReconciliationPayment);
