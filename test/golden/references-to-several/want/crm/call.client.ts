// Generated from spec/crm/call.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';
import type { Lead } from './lead.client.ts';
import type { Customer } from './customer.client.ts';

/** A call. */
export interface Call {
  readonly id: string;
  party_id: string;
  status: 'open' | 'done' | null;
  about_id: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type CallCreate = client.Creatable<Call, 'party_id'>;
export type CallUpdate = client.Updatable<Call>;

/** The input of hand-over. */
export interface CallHandOverInput {
  to: string;
  about?: string | null;
}

/** The filters of lists of calls. */
export interface CallFilter extends client.RecordFilter {
  party_id?: client.ReferenceFilter;
  about_id?: client.ReferenceFilter;
}

/** The records that calls can be shown with. */
export interface CallExpand {
  party_id: client.Referenced<'party', Lead | Customer>;
  about_id: client.Referenced<'about', Customer | Call>;
}

/** The operations of `/api/crm/call`. */
export const callOperations = (requests: client.Requests) => {
  const path = '/api/crm/call';
  return {
    /** List calls, newest first. */
    ...client.lists<Call, CallFilter, never, CallExpand>(requests, path),

    /** Create a call. */
    create: client.create<Call, CallCreate>(requests, path),

    /** Retrieve a call. */
    retrieve: client.retrieve<Call, CallExpand>(requests, path),

    /** Update a call. */
    update: client.update<Call, CallUpdate>(requests, path),

    /** Delete a call. */
    delete: client.remove(requests, path),

    /** Hand over a call: status from open to done. */
    handOver: client.changeWith<Call, CallHandOverInput>(requests, path, 'hand-over'),
  };
};
