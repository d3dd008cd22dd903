// Generated from spec/crm/deal.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';
import type { DealPart } from './deal-part.client.ts';

/** A sale that may come about. */
export interface Deal {
  readonly id: string;
  title: string;
  stage: 'open' | 'won' | 'lost' | null;
  company: string | null;
  email: string | null;
  closes_on: string | null;
  called_at: string | null;
  amount: number | null;
  seats: number | null;
  is_open: boolean;
  sort: string | null;
  limit: number | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type DealCreate = client.Creatable<Deal, 'is_open' | 'title'>;
export type DealUpdate = client.Updatable<Deal>;

/** The filters of lists of deals. */
export interface DealFilter extends client.RecordFilter {
  stage?: client.TextFilter<Deal['stage']>;
  company?: client.TextFilter;
  closes_on?: client.DateFilter;
  called_at?: client.DateFilter;
  amount?: client.NumberFilter;
  seats?: client.NumberFilter;
  is_open?: client.BooleanFilter;
  updated_at?: client.DateFilter;
}

export type DealSort = 'closes_on' | 'amount' | 'is_open';

/** The line items that deals can be shown with. */
export interface DealExpand {
  deal_part: DealPart;
}

/** The operations of `/api/crm/deal`. */
export const dealOperations = (requests: client.Requests) => {
  const path = '/api/crm/deal';
  return {
    /** List deals, newest first. */
    ...client.searchedLists<Deal, DealFilter, DealSort, DealExpand>(requests, path),

    /** Create a deal. */
    create: client.create<Deal, DealCreate>(requests, path),

    /** Retrieve a deal. */
    retrieve: client.retrieve<Deal, DealExpand>(requests, path),

    /** Update a deal. */
    update: client.update<Deal, DealUpdate>(requests, path),

    /** Delete a deal. */
    delete: client.remove(requests, path),
  };
};
