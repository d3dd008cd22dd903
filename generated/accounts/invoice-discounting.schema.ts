// Generated from spec/accounts/invoice-discounting.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  counted,
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

/** A loan that a bank grants against invoices which customers have yet to pay. */
export const InvoiceDiscounting = z.strictObject({
  id: field.id(),
  /** Moved by submit and cancel; can also be set directly. */
  status: optional(field.text(), 'draft'),
  posting_date: field.date(),
  loan_start_date: optional(field.date()),
  loan_period: optional(field.integer()),
  loan_end_date: optional(field.date()),
  company: field.text(),
  total_amount: optional(field.number()),
  bank_charges: optional(field.number()),
  short_term_loan: field.text(),
  bank_account: field.text(),
  bank_charges_account: field.text(),
  accounts_receivable_credit: field.text(),
  accounts_receivable_discounted: field.text(),
  accounts_receivable_unpaid: field.text(),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type InvoiceDiscounting = z.infer<typeof InvoiceDiscounting>;

export const InvoiceDiscountingCreate = creatable(InvoiceDiscounting);
export const InvoiceDiscountingUpdate = updatable(InvoiceDiscounting);
export const InvoiceDiscountingQuery = query(InvoiceDiscounting, {
  filter: ['status', 'company', 'posting_date', 'loan_end_date'],
  sort: ['posting_date', 'loan_end_date'],
  search: ['company', 'short_term_loan', 'bank_account'],
});
export const invoiceDiscountingTable = record(
  'invoice_discounting',
  InvoiceDiscounting,
  { path: 'accounts/invoice-discounting' },
  [
    listed(InvoiceDiscountingQuery),
    counted({ by: ['status'], sum: ['total_amount'] }),
    transition('submit', { field: 'status', from: ['draft'], to: 'submitted' }),
    transition('cancel', { field: 'status', from: ['submitted'], to: 'cancelled' }),
    expands('discounted-invoice', 'discounted_invoice'),
  ],
);
