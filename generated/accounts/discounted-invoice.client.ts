// Generated from spec/accounts/discounted-invoice.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** One of the unpaid invoices behind an invoice discounting. */
export interface DiscountedInvoice {
  readonly id: string;
  idx: number;
  invoice_discounting_id: string;
  sales_invoice: string;
  customer: string | null;
  posting_date: string | null;
  /** What the customer still owes on the invoice. */
  outstanding_amount: number | null;
  /** Account that the invoice is debited to. */
  debit_to: string | null;
}

export type DiscountedInvoiceCreate = client.Creatable<DiscountedInvoice, 'invoice_discounting_id' | 'sales_invoice'>;
export type DiscountedInvoiceUpdate = client.Updatable<DiscountedInvoice>;

/** The filters of lists of discounted invoices. */
export interface DiscountedInvoiceFilter extends client.ItemFilter {
  customer?: client.TextFilter;
}

/** The operations of `/api/accounts/discounted-invoice`. */
export const discountedInvoiceOperations = (requests: client.Requests) => {
  const path = '/api/accounts/discounted-invoice';
  return {
    /** List the discounted invoices of a parent, by idx. */
    ...client.itemLists<DiscountedInvoice, DiscountedInvoiceFilter>(requests, path),

    /** Create a discounted invoice. */
    create: client.create<DiscountedInvoice, DiscountedInvoiceCreate>(requests, path),

    /** Update a discounted invoice. */
    update: client.update<DiscountedInvoice, DiscountedInvoiceUpdate>(requests, path),

    /** Delete a discounted invoice. */
    delete: client.remove(requests, path),

    /** Reorder the discounted invoices of a parent. */
    reorder: client.reorder<DiscountedInvoice>(requests, path),

    /** Count discounted invoices. */
    count: client.itemCounts<DiscountedInvoice, DiscountedInvoiceFilter, never, 'outstanding_amount'>(requests, path),
  };
};
