// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A lead. */
export interface Lead {
  readonly id: string;
  status: string | null;
  name: string;
  email: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type LeadCreate = client.Creatable<Lead, 'name'>;
export type LeadUpdate = client.Updatable<Lead>;

/** What lists of leads can be filtered by. */
export interface LeadFilter extends client.RecordFilter {
  status?: client.TextFilter;
}

/** The operations of `/api/crm/lead`. */
export const leadOperations = (requests: client.Requests) => {
  const path = '/api/crm/lead';
  return {
    /** List leads, newest first. */
    ...client.lists<Lead, LeadFilter>(requests, path),

    /** Create a lead. */
    create: client.create<Lead, LeadCreate>(requests, path),

    /** Retrieve a lead. */
    retrieve: client.retrieve<Lead>(requests, path),

    /** Update a lead. */
    update: client.update<Lead, LeadUpdate>(requests, path),

    /** Delete a lead. */
    delete: client.remove(requests, path),
  };
};
