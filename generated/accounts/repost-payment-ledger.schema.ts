// Generated from spec/accounts/repost-payment-ledger.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { boolean, creatable, date, id, optional, record, text, timestamp, updatable } from '../../runtime/index.ts';

/** A request to post the payment ledger entries of chosen vouchers again. */
export const RepostPaymentLedger = z.strictObject({
  id: id(),
  /** Moved by submit and cancel; can also be set directly. */
  status: optional(text(), 'draft'),
  posting_date: date(),
  voucher_type: optional(text()),
  company: text(),
  /** Progress of the reposting; `status` is that of the record. */
  repost_status: optional(text()),
  /** Whether the vouchers are added by hand. */
  add_manually: optional(boolean(), false),
  /** What went wrong while reposting. */
  repost_error_log: optional(text()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type RepostPaymentLedger = z.infer<typeof RepostPaymentLedger>;

export const RepostPaymentLedgerCreate = creatable(RepostPaymentLedger);
export const RepostPaymentLedgerUpdate = updatable(RepostPaymentLedger);
export const repostPaymentLedgerTable = record('repost_payment_ledger', RepostPaymentLedger);
