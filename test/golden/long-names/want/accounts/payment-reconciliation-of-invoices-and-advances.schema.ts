// Generated from spec/accounts/payment-reconciliation-of-invoices-and-advances.yaml.
// Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  creatable,
  expands,
  field,
  listed,
  optional,
  query,
  record,
  transition,
  updatable,
} from '../../runtime/index.ts';

/** Which payments pay for which invoices. */
export const PaymentReconciliationOfInvoicesAndAdvances = z.strictObject({
  id: field.id(),
  default_advance_received_or_paid_account_of_the_party_in_full: field.text(),
  default_advance_received_or_paid_account_of_the_party: optional(
    field.text(),
    'Advances of this kind, to whoever they go to',
  ),
  /** Where the reconciliation stands. */
  state_of_the_reconciliation_of_invoices_and_advances: optional(
    field.oneOf(['not yet begun', 'begun by the bookkeeper', 'checked by the auditor', 'approved by the management']),
    'not yet begun',
  ),
  amount_that_is_not_reconciled: optional(
    field.number({ min: -1000000000000000, max: 1000000000000000 }),
    123456789.125,
  ),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type PaymentReconciliationOfInvoicesAndAdvances = z.infer<typeof PaymentReconciliationOfInvoicesAndAdvances>;

export const PaymentReconciliationOfInvoicesAndAdvancesCreate = creatable(PaymentReconciliationOfInvoicesAndAdvances);
export const PaymentReconciliationOfInvoicesAndAdvancesUpdate = updatable(PaymentReconciliationOfInvoicesAndAdvances);
export const PaymentReconciliationOfInvoicesAndAdvancesQuery = query(PaymentReconciliationOfInvoicesAndAdvances);
export const paymentReconciliationOfInvoicesAndAdvancesTable = record(
  'payment_reconciliation_of_invoices_and_advances',
  PaymentReconciliationOfInvoicesAndAdvances,
  { path: 'accounts/payment-reconciliation-of-invoices-and-advances' },
  [
    listed(PaymentReconciliationOfInvoicesAndAdvancesQuery),
    transition('begin', {
      field: 'state_of_the_reconciliation_of_invoices_and_advances',
      from: ['not yet begun'],
      to: 'begun by the bookkeeper',
    }),
    transition('send-back-to-the-bookkeeper', {
      field: 'state_of_the_reconciliation_of_invoices_and_advances',
      from: ['checked by the auditor', 'approved by the management'],
      to: 'begun by the bookkeeper',
    }),
    expands('payment-reconciliation-payment-of-an-advance', 'payment_reconciliation_payment_of_an_advance'),
  ],
);
