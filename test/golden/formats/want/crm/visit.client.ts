// Generated from spec/crm/visit.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A visit that a salesperson pays to a customer. */
export interface Visit {
  readonly id: string;
  reference: string;
  day: string | null;
  starts_at: string | null;
  booked_at: string | null;
  /** Who is to be met. */
  contact: string | null;
  readonly directions: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type VisitCreate = client.Creatable<Visit, 'day' | 'reference', 'directions'>;
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
