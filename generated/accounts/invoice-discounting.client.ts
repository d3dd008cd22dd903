// Generated from spec/accounts/invoice-discounting.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';
import type { DiscountedInvoice } from './discounted-invoice.client.ts';

/** A loan that a bank grants against invoices which customers have yet to pay. */
export interface InvoiceDiscounting {
  readonly id: string;
  /** Moved by submit and cancel; can also be set directly. */
  status: string | null;
  posting_date: string;
  loan_start_date: string | null;
  loan_period: number | null;
  loan_end_date: string | null;
  company: string;
  total_amount: number | null;
  bank_charges: number | null;
  short_term_loan: string;
  bank_account: string;
  bank_charges_account: string;
  accounts_receivable_credit: string;
  accounts_receivable_discounted: string;
  accounts_receivable_unpaid: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export type InvoiceDiscountingCreate = client.Creatable<
  InvoiceDiscounting,
  | 'accounts_receivable_credit'
  | 'accounts_receivable_discounted'
  | 'accounts_receivable_unpaid'
  | 'bank_account'
  | 'bank_charges_account'
  | 'company'
  | 'posting_date'
  | 'short_term_loan'
>;
export type InvoiceDiscountingUpdate = client.Updatable<InvoiceDiscounting>;

/** The filters of lists of invoice discountings. */
export interface InvoiceDiscountingFilter extends client.RecordFilter {
  status?: client.TextFilter;
  company?: client.TextFilter;
  posting_date?: client.DateFilter;
  loan_end_date?: client.DateFilter;
}

export type InvoiceDiscountingSort = 'posting_date' | 'loan_end_date';

/** The line items that invoice discountings can be shown with. */
export interface InvoiceDiscountingExpand {
  discounted_invoice: DiscountedInvoice;
}

/** The operations of `/api/accounts/invoice-discounting`. */
export const invoiceDiscountingOperations = (requests: client.Requests) => {
  const path = '/api/accounts/invoice-discounting';
  return {
    /** List invoice discountings, newest first. */
    ...client.searchedLists<
      InvoiceDiscounting,
      InvoiceDiscountingFilter,
      InvoiceDiscountingSort,
      InvoiceDiscountingExpand
    >(requests, path),

    /** Create an invoice discounting. */
    create: client.create<InvoiceDiscounting, InvoiceDiscountingCreate>(requests, path),

    /** Retrieve an invoice discounting. */
    retrieve: client.retrieve<InvoiceDiscounting, InvoiceDiscountingExpand>(requests, path),

    /** Update an invoice discounting. */
    update: client.update<InvoiceDiscounting, InvoiceDiscountingUpdate>(requests, path),

    /** Delete an invoice discounting. */
    delete: client.remove(requests, path),

    /** Submit an invoice discounting: status from draft to submitted. */
    submit: client.change<InvoiceDiscounting>(requests, path, 'submit'),

    /** Cancel an invoice discounting: status from submitted to cancelled. */
    cancel: client.change<InvoiceDiscounting>(requests, path, 'cancel'),

    /** Count invoice discountings. */
    count: client.counts<InvoiceDiscounting, InvoiceDiscountingFilter, 'status', 'total_amount', string>(
      requests,
      path,
    ),
  };
};
