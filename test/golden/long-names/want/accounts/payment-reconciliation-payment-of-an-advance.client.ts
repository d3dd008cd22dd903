// Generated from spec/accounts/payment-reconciliation-payment-of-an-advance.yaml.
// Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** One payment that is reconciled. */
export interface PaymentReconciliationPaymentOfAnAdvance {
  readonly id: string;
  idx: number;
  payment_reconciliation_of_invoices_and_advances_id: string;
}

export type PaymentReconciliationPaymentOfAnAdvanceCreate = client.Creatable<
  PaymentReconciliationPaymentOfAnAdvance,
  'payment_reconciliation_of_invoices_and_advances_id'
>;
export type PaymentReconciliationPaymentOfAnAdvanceUpdate = client.Updatable<PaymentReconciliationPaymentOfAnAdvance>;

/** The operations of `/api/accounts/payment-reconciliation-payment-of-an-advance`. */
export const paymentReconciliationPaymentOfAnAdvanceOperations = (requests: client.Requests) => {
  const path = '/api/accounts/payment-reconciliation-payment-of-an-advance';
  return {
    /** List the payment reconciliation payment of an advances of a parent, by idx. */
    ...client.itemLists<PaymentReconciliationPaymentOfAnAdvance, client.ItemFilter>(requests, path),

    /** Create a payment reconciliation payment of an advance. */
    create: client.create<PaymentReconciliationPaymentOfAnAdvance, PaymentReconciliationPaymentOfAnAdvanceCreate>(
      requests,
      path,
    ),

    /** Update a payment reconciliation payment of an advance. */
    update: client.update<PaymentReconciliationPaymentOfAnAdvance, PaymentReconciliationPaymentOfAnAdvanceUpdate>(
      requests,
      path,
    ),

    /** Delete a payment reconciliation payment of an advance. */
    delete: client.remove(requests, path),

    /** Reorder the payment reconciliation payment of an advances of a parent. */
    reorder: client.reorder<PaymentReconciliationPaymentOfAnAdvance>(requests, path),
  };
};
