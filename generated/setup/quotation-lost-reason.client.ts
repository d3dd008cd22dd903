// Generated from spec/setup/quotation-lost-reason.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A reason why a quotation did not lead to an order. */
export interface QuotationLostReason {
  readonly id: string;
  order_lost_reason: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export type QuotationLostReasonCreate = client.Creatable<QuotationLostReason, 'order_lost_reason'>;
export type QuotationLostReasonUpdate = client.Updatable<QuotationLostReason>;

export type QuotationLostReasonSort = 'order_lost_reason';

/** The operations of `/api/setup/quotation-lost-reason`. */
export const quotationLostReasonOperations = (requests: client.Requests) => {
  const path = '/api/setup/quotation-lost-reason';
  return {
    /** List quotation lost reasons, newest first. */
    ...client.searchedLists<QuotationLostReason, client.RecordFilter, QuotationLostReasonSort>(requests, path),

    /** Create a quotation lost reason. */
    create: client.create<QuotationLostReason, QuotationLostReasonCreate>(requests, path),

    /** Retrieve a quotation lost reason. */
    retrieve: client.retrieve<QuotationLostReason>(requests, path),

    /** Update a quotation lost reason. */
    update: client.update<QuotationLostReason, QuotationLostReasonUpdate>(requests, path),

    /** Delete a quotation lost reason. */
    delete: client.remove(requests, path),
  };
};
