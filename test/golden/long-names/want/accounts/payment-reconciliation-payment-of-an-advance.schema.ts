// Generated from spec/accounts/payment-reconciliation-payment-of-an-advance.yaml.
// Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, lineItem, query, updatable } from '../../runtime/index.ts';

/** One payment that is reconciled. */
export const PaymentReconciliationPaymentOfAnAdvance = z.strictObject({
  id: field.id(),
  idx: field.position(),
  payment_reconciliation_of_invoices_and_advances_id: field.text(),
});
export type PaymentReconciliationPaymentOfAnAdvance = z.infer<typeof PaymentReconciliationPaymentOfAnAdvance>;

export const PaymentReconciliationPaymentOfAnAdvanceCreate = creatable(PaymentReconciliationPaymentOfAnAdvance);
export const PaymentReconciliationPaymentOfAnAdvanceUpdate = updatable(PaymentReconciliationPaymentOfAnAdvance);
export const PaymentReconciliationPaymentOfAnAdvanceQuery = query(PaymentReconciliationPaymentOfAnAdvance);
export const paymentReconciliationPaymentOfAnAdvanceTable = lineItem(
  'payment_reconciliation_payment_of_an_advance',
  PaymentReconciliationPaymentOfAnAdvance,
  {
    path: 'accounts/payment-reconciliation-payment-of-an-advance',
    parent: {
      field: 'payment_reconciliation_of_invoices_and_advances_id',
      table: 'payment_reconciliation_of_invoices_and_advances',
    },
    list: PaymentReconciliationPaymentOfAnAdvanceQuery,
  },
);
