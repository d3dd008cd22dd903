// Generated from spec/accounts/repost-payment-ledger-items.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A voucher whose payment ledger entries are to be posted again. */
export interface RepostPaymentLedgerItems {
  readonly id: string;
  idx: number;
  repost_payment_ledger_id: string;
  voucher_type: string | null;
  voucher_no: string | null;
}

export type RepostPaymentLedgerItemsCreate = client.Creatable<RepostPaymentLedgerItems, 'repost_payment_ledger_id'>;
export type RepostPaymentLedgerItemsUpdate = client.Updatable<RepostPaymentLedgerItems>;

/** The filters of lists of repost payment ledger items. */
export interface RepostPaymentLedgerItemsFilter extends client.ItemFilter {
  voucher_type?: client.TextFilter;
}

/** The operations of `/api/accounts/repost-payment-ledger-items`. */
export const repostPaymentLedgerItemsOperations = (requests: client.Requests) => {
  const path = '/api/accounts/repost-payment-ledger-items';
  return {
    /** List the repost payment ledger items of a parent, by idx. */
    ...client.itemLists<RepostPaymentLedgerItems, RepostPaymentLedgerItemsFilter>(requests, path),

    /** Create repost payment ledger items. */
    create: client.create<RepostPaymentLedgerItems, RepostPaymentLedgerItemsCreate>(requests, path),

    /** Update repost payment ledger items. */
    update: client.update<RepostPaymentLedgerItems, RepostPaymentLedgerItemsUpdate>(requests, path),

    /** Delete repost payment ledger items. */
    delete: client.remove(requests, path),

    /** Reorder the repost payment ledger items of a parent. */
    reorder: client.reorder<RepostPaymentLedgerItems>(requests, path),
  };
};
