// Generated from spec/accounts/repost-payment-ledger.yaml. Edit the spec, then run `npm run generate`.
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

/** A request to post the payment ledger entries of chosen vouchers again. */
export const RepostPaymentLedger = z.strictObject({
  id: field.id(),
  /** Moved by submit and cancel; can also be set directly. */
  status: optional(field.text(), 'draft'),
  posting_date: field.date(),
  voucher_type: optional(field.text()),
  company: field.text(),
  /** Progress of the reposting; `status` is that of the record. */
  repost_status: optional(field.text()),
  /** Whether the vouchers are added by hand. */
  add_manually: optional(field.boolean(), false),
  /** What went wrong while reposting. */
  repost_error_log: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type RepostPaymentLedger = z.infer<typeof RepostPaymentLedger>;

export const RepostPaymentLedgerCreate = creatable(RepostPaymentLedger);
export const RepostPaymentLedgerUpdate = updatable(RepostPaymentLedger);
export const RepostPaymentLedgerQuery = query(RepostPaymentLedger, {
  filter: ['status', 'company', 'repost_status', 'posting_date'],
  sort: ['posting_date'],
  search: ['company', 'voucher_type', 'repost_error_log'],
});
export const repostPaymentLedgerTable = record(
  'repost_payment_ledger',
  RepostPaymentLedger,
  { path: 'accounts/repost-payment-ledger' },
  [
    listed(RepostPaymentLedgerQuery),
    counted({ by: ['status'] }),
    transition('submit', { field: 'status', from: ['draft'], to: 'submitted' }),
    transition('cancel', { field: 'status', from: ['submitted'], to: 'cancelled' }),
    expands('repost-payment-ledger-items', 'repost_payment_ledger_items'),
  ],
);
