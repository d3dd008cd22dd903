// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';
import type { PhoneCall } from './phone-call.client.ts';

/** A lead. */
export interface Lead {
  readonly id: string;
  name: string;
  status: 'open' | 'won';
  /** The time at which the record was archived; null if it is not. */
  readonly archived_at: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type LeadCreate = client.Creatable<Lead, 'name', 'archived_at'>;

/** The filters of lists of leads. */
export interface LeadFilter extends client.RecordFilter {
  status?: client.TextFilter<Lead['status']>;
  archived_at?: client.DateFilter;
  /** True for archived records alone, `any` for all; lists leave archived ones out without it. */
  archived?: boolean | 'any' | undefined;
}

export type LeadSort = 'status' | 'name';

/** The line items that leads can be shown with. */
export interface LeadExpand {
  phone_call: PhoneCall;
}

/** The operations of `/api/crm/lead`. */
export const leadOperations = (requests: client.Requests) => {
  const path = '/api/crm/lead';
  return {
    /** List leads, newest first. */
    ...client.lists<Lead, LeadFilter, LeadSort, LeadExpand>(requests, path),

    /** Create a lead. */
    create: client.create<Lead, LeadCreate>(requests, path),

    /** Archive a lead. */
    archive: client.change<Lead>(requests, path, 'archive'),

    /** Unarchive a lead. */
    unarchive: client.change<Lead>(requests, path, 'unarchive'),

    /** Win a lead: status from open to won. */
    win: client.change<Lead>(requests, path, 'win'),
  };
};
