// Generated from spec/accounts/repost-payment-ledger-items.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, lineItem, listed, optional, query, updatable } from '../../runtime/index.ts';

/** A voucher whose payment ledger entries are to be posted again. */
export const RepostPaymentLedgerItems = z.strictObject({
  id: field.id(),
  idx: field.position(),
  repost_payment_ledger_id: field.text(),
  voucher_type: optional(field.text()),
  voucher_no: optional(field.text()),
});
export type RepostPaymentLedgerItems = z.infer<typeof RepostPaymentLedgerItems>;

export const RepostPaymentLedgerItemsCreate = creatable(RepostPaymentLedgerItems);
export const RepostPaymentLedgerItemsUpdate = updatable(RepostPaymentLedgerItems);
export const RepostPaymentLedgerItemsQuery = query(RepostPaymentLedgerItems, {
  filter: ['voucher_type'],
});
export const repostPaymentLedgerItemsTable = lineItem(
  'repost_payment_ledger_items',
  RepostPaymentLedgerItems,
  {
    path: 'accounts/repost-payment-ledger-items',
    parent: { field: 'repost_payment_ledger_id', table: 'repost_payment_ledger' },
  },
  [listed(RepostPaymentLedgerItemsQuery)],
);
