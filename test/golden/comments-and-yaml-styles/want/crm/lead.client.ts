// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A person who may buy something. */
export interface Lead {
  readonly id: string;
  name: string;
  stage: 'new' | 'old' | null;
  next_stage: 'new' | 'old' | null;
  age: number | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type LeadCreate = client.Creatable<Lead, 'name'>;

/** The operations of `/api/crm/lead`. */
export const leadOperations = (requests: client.Requests) => {
  const path = '/api/crm/lead';
  return {
    /** List leads, newest first. */
    ...client.lists<Lead, client.RecordFilter>(requests, path),

    /** Create a lead. */
    create: client.create<Lead, LeadCreate>(requests, path),
  };
};
