// Generated from spec/accounts/repost-payment-ledger.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';
import type { RepostPaymentLedgerItems } from './repost-payment-ledger-items.client.ts';

/** A request to post the payment ledger entries of chosen vouchers again. */
export interface RepostPaymentLedger {
  readonly id: string;
  /** Moved by submit and cancel; can also be set directly. */
  status: string | null;
  posting_date: string;
  voucher_type: string | null;
  company: string;
  /** Progress of the reposting; `status` is that of the record. */
  repost_status: string | null;
  /** Whether the vouchers are added by hand. */
  add_manually: boolean | null;
  /** What went wrong while reposting. */
  repost_error_log: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type RepostPaymentLedgerCreate = client.Creatable<RepostPaymentLedger, 'company' | 'posting_date'>;
export type RepostPaymentLedgerUpdate = client.Updatable<RepostPaymentLedger>;

/** The filters of lists of repost payment ledgers. */
export interface RepostPaymentLedgerFilter extends client.RecordFilter {
  status?: client.TextFilter;
  company?: client.TextFilter;
  repost_status?: client.TextFilter;
  posting_date?: client.DateFilter;
}

export type RepostPaymentLedgerSort = 'posting_date';

/** The line items that repost payment ledgers can be shown with. */
export interface RepostPaymentLedgerExpand {
  repost_payment_ledger_items: RepostPaymentLedgerItems;
}

/** The operations of `/api/accounts/repost-payment-ledger`. */
export const repostPaymentLedgerOperations = (requests: client.Requests) => {
  const path = '/api/accounts/repost-payment-ledger';
  return {
    /** List repost payment ledgers, newest first. */
    ...client.searchedLists<
      RepostPaymentLedger,
      RepostPaymentLedgerFilter,
      RepostPaymentLedgerSort,
      RepostPaymentLedgerExpand
    >(requests, path),

    /** Create a repost payment ledger. */
    create: client.create<RepostPaymentLedger, RepostPaymentLedgerCreate>(requests, path),

    /** Retrieve a repost payment ledger. */
    retrieve: client.retrieve<RepostPaymentLedger, RepostPaymentLedgerExpand>(requests, path),

    /** Update a repost payment ledger. */
    update: client.update<RepostPaymentLedger, RepostPaymentLedgerUpdate>(requests, path),

    /** Delete a repost payment ledger. */
    delete: client.remove(requests, path),

    /** Submit a repost payment ledger: status from draft to submitted. */
    submit: client.change<RepostPaymentLedger>(requests, path, 'submit'),

    /** Cancel a repost payment ledger: status from submitted to cancelled. */
    cancel: client.change<RepostPaymentLedger>(requests, path, 'cancel'),

    /** Count repost payment ledgers. */
    count: client.counts<RepostPaymentLedger, RepostPaymentLedgerFilter, 'status', never, string>(requests, path),
  };
};
