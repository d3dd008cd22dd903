// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** Someone who may buy something. */
export interface Lead {
  readonly id: string;
  stage: 'open' | 'won' | null;
  due_on: string | null;
  /** A pattern has an example of its own. */
  code: string | null;
  email: string | null;
  note: string | null;
  score: number | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type LeadCreate = client.Creatable<Lead>;
export type LeadUpdate = client.Updatable<Lead>;

/** The operations of `/api/crm/lead`. */
export const leadOperations = (requests: client.Requests) => {
  const path = '/api/crm/lead';
  return {
    /** List leads, newest first. */
    ...client.lists<Lead, client.RecordFilter>(requests, path),

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
