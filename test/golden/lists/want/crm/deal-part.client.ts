// Generated from spec/crm/deal-part.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A part of a sale. */
export interface DealPart {
  readonly id: string;
  idx: number;
  deal_id: string;
  article: string;
}

export type DealPartCreate = client.Creatable<DealPart, 'article' | 'deal_id'>;
export type DealPartUpdate = client.Updatable<DealPart>;

/** The filters of lists of deal parts. */
export interface DealPartFilter extends client.ItemFilter {
  article?: client.TextFilter;
}

/** The operations of `/api/crm/deal-part`. */
export const dealPartOperations = (requests: client.Requests) => {
  const path = '/api/crm/deal-part';
  return {
    /** List the deal parts of a parent, by idx. */
    ...client.itemLists<DealPart, DealPartFilter>(requests, path),

    /** Create a deal part. */
    create: client.create<DealPart, DealPartCreate>(requests, path),

    /** Update a deal part. */
    update: client.update<DealPart, DealPartUpdate>(requests, path),

    /** Delete a deal part. */
    delete: client.remove(requests, path),

    /** Reorder the deal parts of a parent. */
    reorder: client.reorder<DealPart>(requests, path),
  };
};
