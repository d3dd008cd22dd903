// Generated from spec/accounts/payment-reconciliation-payment.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A payment that is waiting to be matched with the invoices it settles. */
export interface PaymentReconciliationPayment {
  readonly id: string;
  reference_type: string | null;
  reference_name: string | null;
  posting_date: string | null;
  /** Tells in words whether the payment is an advance. */
  is_advance: string | null;
  reference_row: string | null;
  amount: number | null;
  currency: string | null;
  difference_amount: number | null;
  exchange_rate: number | null;
  cost_center: string | null;
  remarks: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type PaymentReconciliationPaymentCreate = client.Creatable<PaymentReconciliationPayment>;
export type PaymentReconciliationPaymentUpdate = client.Updatable<PaymentReconciliationPayment>;

/** The filters of lists of payment reconciliation payments. */
export interface PaymentReconciliationPaymentFilter extends client.RecordFilter {
  reference_type?: client.TextFilter;
  reference_name?: client.TextFilter;
  posting_date?: client.DateFilter;
  currency?: client.TextFilter;
}

export type PaymentReconciliationPaymentSort = 'posting_date' | 'amount';

/** The operations of `/api/accounts/payment-reconciliation-payment`. */
export const paymentReconciliationPaymentOperations = (requests: client.Requests) => {
  const path = '/api/accounts/payment-reconciliation-payment';
  return {
    /** List payment reconciliation payments, newest first. */
    ...client.searchedLists<
      PaymentReconciliationPayment,
      PaymentReconciliationPaymentFilter,
      PaymentReconciliationPaymentSort
    >(requests, path),

    /** Create a payment reconciliation payment. */
    create: client.create<PaymentReconciliationPayment, PaymentReconciliationPaymentCreate>(requests, path),

    /** Retrieve a payment reconciliation payment. */
    retrieve: client.retrieve<PaymentReconciliationPayment>(requests, path),

    /** Update a payment reconciliation payment. */
    update: client.update<PaymentReconciliationPayment, PaymentReconciliationPaymentUpdate>(requests, path),

    /** Delete a payment reconciliation payment. */
    delete: client.remove(requests, path),

    /** Count payment reconciliation payments. */
    count: client.counts<
      PaymentReconciliationPayment,
      PaymentReconciliationPaymentFilter,
      'reference_type' | 'currency',
      'amount',
      string
    >(requests, path),
  };
};
