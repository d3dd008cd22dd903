// Generated from spec/crm/visit.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A visit to a customer. */
export interface Visit {
  readonly id: string;
  guest: string | null;
  day: string | null;
  /** How it went. */
  mood: 'good' | 'bad' | null;
  length: number | null;
  is_paid: boolean | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type VisitCreate = client.Creatable<Visit, 'day' | 'guest' | 'is_paid' | 'length' | 'mood'>;
export type VisitUpdate = client.Updatable<Visit>;

/** The operations of `/api/crm/visit`. */
export const visitOperations = (requests: client.Requests) => {
  const path = '/api/crm/visit';
  return {
    /** List visits, newest first. */
    ...client.lists<Visit, client.RecordFilter>(requests, path),

    /** Create a visit. */
    create: client.create<Visit, VisitCreate>(requests, path),

    /** Retrieve a visit. */
    retrieve: client.retrieve<Visit>(requests, path),

    /** Update a visit. */
    update: client.update<Visit, VisitUpdate>(requests, path),

    /** Delete a visit. */
    delete: client.remove(requests, path),
  };
};
