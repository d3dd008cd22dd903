// Generated from spec/accounts/discounted-invoice.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { counted, creatable, field, lineItem, listed, optional, query, updatable } from '../../runtime/index.ts';

/** One of the unpaid invoices behind an invoice discounting. */
export const DiscountedInvoice = z.strictObject({
  id: field.id(),
  idx: field.position(),
  invoice_discounting_id: field.text(),
  sales_invoice: field.text(),
  customer: optional(field.text()),
  posting_date: optional(field.date()),
  /** What the customer still owes on the invoice. */
  outstanding_amount: optional(field.number()),
  /** Account that the invoice is debited to. */
  debit_to: optional(field.text()),
});
export type DiscountedInvoice = z.infer<typeof DiscountedInvoice>;

export const DiscountedInvoiceCreate = creatable(DiscountedInvoice);
export const DiscountedInvoiceUpdate = updatable(DiscountedInvoice);
export const DiscountedInvoiceQuery = query(DiscountedInvoice, {
  filter: ['customer'],
});
export const discountedInvoiceTable = lineItem(
  'discounted_invoice',
  DiscountedInvoice,
  { path: 'accounts/discounted-invoice', parent: { field: 'invoice_discounting_id', table: 'invoice_discounting' } },
  [listed(DiscountedInvoiceQuery), counted({ sum: ['outstanding_amount'] })],
);
