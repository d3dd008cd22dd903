// Generated from spec/accounts/invoice-discounting.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  creatable,
  date,
  id,
  integer,
  number,
  optional,
  record,
  text,
  timestamp,
  updatable,
} from '../../runtime/index.ts';

/** A loan that a bank grants against invoices which customers have yet to pay. */
export const InvoiceDiscounting = z.strictObject({
  id: id(),
  /** Moved by submit and cancel; can also be set directly. */
  status: optional(text(), 'draft'),
  posting_date: date(),
  loan_start_date: optional(date()),
  loan_period: optional(integer()),
  loan_end_date: optional(date()),
  company: text(),
  total_amount: optional(number()),
  bank_charges: optional(number()),
  short_term_loan: text(),
  bank_account: text(),
  bank_charges_account: text(),
  accounts_receivable_credit: text(),
  accounts_receivable_discounted: text(),
  accounts_receivable_unpaid: text(),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type InvoiceDiscounting = z.infer<typeof InvoiceDiscounting>;

export const InvoiceDiscountingCreate = creatable(InvoiceDiscounting);
export const InvoiceDiscountingUpdate = updatable(InvoiceDiscounting);
export const invoiceDiscountingTable = record('invoice_discounting', InvoiceDiscounting);
