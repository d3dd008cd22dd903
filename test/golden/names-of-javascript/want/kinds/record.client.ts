// Generated from spec/kinds/record.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';
import type { Promise } from './promise.client.ts';

/** A disc with music. */
export interface Record {
  readonly id: string;
  number: number | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type RecordCreate = client.Creatable<Record>;
export type RecordUpdate = client.Updatable<Record>;

/** The line items that records can be shown with. */
export interface RecordExpand {
  promise: Promise;
}

/** The operations of `/api/kinds/record`. */
export const recordOperations = (requests: client.Requests) => {
  const path = '/api/kinds/record';
  return {
    /** List records, newest first. */
    ...client.lists<Record, client.RecordFilter, never, RecordExpand>(requests, path),

    /** Create a record. */
    create: client.create<Record, RecordCreate>(requests, path),

    /** Retrieve a record. */
    retrieve: client.retrieve<Record, RecordExpand>(requests, path),

    /** Update a record. */
    update: client.update<Record, RecordUpdate>(requests, path),

    /** Delete a record. */
    delete: client.remove(requests, path),
  };
};
