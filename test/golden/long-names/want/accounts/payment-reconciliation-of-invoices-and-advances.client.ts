// Generated from spec/accounts/payment-reconciliation-of-invoices-and-advances.yaml.
// Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';
import type { PaymentReconciliationPaymentOfAnAdvance } from './payment-reconciliation-payment-of-an-advance.client.ts';

/** Which payments pay for which invoices. */
export interface PaymentReconciliationOfInvoicesAndAdvances {
  readonly id: string;
  default_advance_received_or_paid_account_of_the_party_in_full: string;
  default_advance_received_or_paid_account_of_the_party: string | null;
  /** Where the reconciliation stands. */
  state_of_the_reconciliation_of_invoices_and_advances:
    'not yet begun' | 'begun by the bookkeeper' | 'checked by the auditor' | 'approved by the management' | null;
  amount_that_is_not_reconciled: number | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type PaymentReconciliationOfInvoicesAndAdvancesCreate = client.Creatable<
  PaymentReconciliationOfInvoicesAndAdvances,
  'default_advance_received_or_paid_account_of_the_party_in_full'
>;
export type PaymentReconciliationOfInvoicesAndAdvancesUpdate =
  client.Updatable<PaymentReconciliationOfInvoicesAndAdvances>;

/** The line items that payment reconciliation of invoices and advances can be shown with. */
export interface PaymentReconciliationOfInvoicesAndAdvancesExpand {
  payment_reconciliation_payment_of_an_advance: PaymentReconciliationPaymentOfAnAdvance;
}

/** The operations of `/api/accounts/payment-reconciliation-of-invoices-and-advances`. */
export const paymentReconciliationOfInvoicesAndAdvancesOperations = (requests: client.Requests) => {
  const path = '/api/accounts/payment-reconciliation-of-invoices-and-advances';
  return {
    /** List payment reconciliation of invoices and advances, newest first. */
    ...client.lists<
      PaymentReconciliationOfInvoicesAndAdvances,
      client.RecordFilter,
      never,
      PaymentReconciliationOfInvoicesAndAdvancesExpand
    >(requests, path),

    /** Create payment reconciliation of invoices and advances. */
    create: client.create<PaymentReconciliationOfInvoicesAndAdvances, PaymentReconciliationOfInvoicesAndAdvancesCreate>(
      requests,
      path,
    ),

    /** Retrieve payment reconciliation of invoices and advances. */
    retrieve: client.retrieve<
      PaymentReconciliationOfInvoicesAndAdvances,
      PaymentReconciliationOfInvoicesAndAdvancesExpand
    >(requests, path),

    /** Update payment reconciliation of invoices and advances. */
    update: client.update<PaymentReconciliationOfInvoicesAndAdvances, PaymentReconciliationOfInvoicesAndAdvancesUpdate>(
      requests,
      path,
    ),

    /** Delete payment reconciliation of invoices and advances. */
    delete: client.remove(requests, path),

    /**
     * Begin payment reconciliation of invoices and advances: state_of_the_reconciliation_of_invoices_and_advances from
     * not yet begun to begun by the bookkeeper.
     */
    begin: client.change<PaymentReconciliationOfInvoicesAndAdvances>(requests, path, 'begin'),

    /**
     * Check payment reconciliation of invoices and advances: state_of_the_reconciliation_of_invoices_and_advances from
     * begun by the bookkeeper to checked by the auditor.
     */
    check: client.change<PaymentReconciliationOfInvoicesAndAdvances>(requests, path, 'check'),

    /**
     * Approve payment reconciliation of invoices and advances: state_of_the_reconciliation_of_invoices_and_advances
     * from checked by the auditor to approved by the management.
     */
    approve: client.change<PaymentReconciliationOfInvoicesAndAdvances>(requests, path, 'approve'),

    /**
     * Send back to the bookkeeper payment reconciliation of invoices and advances:
     * state_of_the_reconciliation_of_invoices_and_advances from checked by the auditor or approved by the management to
     * begun by the bookkeeper.
     */
    sendBackToTheBookkeeper: client.change<PaymentReconciliationOfInvoicesAndAdvances>(
      requests,
      path,
      'send-back-to-the-bookkeeper',
    ),
  };
};
