// Generated from spec/accounts/p-o-s-closing-entry-taxes.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** The taxes of one account in the closing entry of a point of sale. */
export interface PosClosingEntryTaxes {
  readonly id: string;
  idx: number;
  /** Closing entry of the point of sale. It is kept outside this service. */
  pos_closing_entry_id: string;
  amount: number | null;
  /** Account that the taxes are booked to. */
  account_head: string | null;
}

export type PosClosingEntryTaxesCreate = client.Creatable<PosClosingEntryTaxes, 'pos_closing_entry_id'>;
export type PosClosingEntryTaxesUpdate = client.Updatable<PosClosingEntryTaxes>;

/** The filters of lists of POS closing entry taxes. */
export interface PosClosingEntryTaxesFilter extends client.ItemFilter {
  account_head?: client.TextFilter;
}

/** The operations of `/api/accounts/p-o-s-closing-entry-taxes`. */
export const posClosingEntryTaxesOperations = (requests: client.Requests) => {
  const path = '/api/accounts/p-o-s-closing-entry-taxes';
  return {
    /** List the POS closing entry taxes of a parent, by idx. */
    ...client.itemLists<PosClosingEntryTaxes, PosClosingEntryTaxesFilter>(requests, path),

    /** Create POS closing entry taxes. */
    create: client.create<PosClosingEntryTaxes, PosClosingEntryTaxesCreate>(requests, path),

    /** Update POS closing entry taxes. */
    update: client.update<PosClosingEntryTaxes, PosClosingEntryTaxesUpdate>(requests, path),

    /** Delete POS closing entry taxes. */
    delete: client.remove(requests, path),

    /** Reorder the POS closing entry taxes of a parent. */
    reorder: client.reorder<PosClosingEntryTaxes>(requests, path),

    /** Count POS closing entry taxes. */
    count: client.itemCounts<PosClosingEntryTaxes, PosClosingEntryTaxesFilter, 'pos_closing_entry_id', 'amount'>(
      requests,
      path,
    ),
  };
};
