// Generated from spec/crm/lead-part.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A part. */
export interface LeadPart {
  readonly id: string;
  idx: number;
  deal_id: string;
  deal_type: string;
  name: string | null;
  code: string | null;
}

export type LeadPartCreate = client.Creatable<LeadPart, 'deal_id' | 'deal_type'>;
export type LeadPartUpdate = client.Updatable<LeadPart>;

/** The operations of `/api/crm/lead-part`. */
export const leadPartOperations = (requests: client.Requests) => {
  const path = '/api/crm/lead-part';
  return {
    /** List the lead parts of a parent, by idx. */
    ...client.itemLists<LeadPart, client.ItemFilter>(requests, path),

    /** Create a lead part. */
    create: client.create<LeadPart, LeadPartCreate>(requests, path),

    /** Update a lead part. */
    update: client.update<LeadPart, LeadPartUpdate>(requests, path),

    /** Delete a lead part. */
    delete: client.remove(requests, path),

    /** Reorder the lead parts of a parent. */
    reorder: client.reorder<LeadPart>(requests, path),
  };
};
