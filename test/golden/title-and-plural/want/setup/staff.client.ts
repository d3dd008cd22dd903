// Generated from spec/setup/staff.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** Somebody who works here. */
export interface Staff {
  readonly id: string;
  name: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type StaffCreate = client.Creatable<Staff>;
export type StaffUpdate = client.Updatable<Staff>;

/** The operations of `/api/setup/staff`. */
export const staffOperations = (requests: client.Requests) => {
  const path = '/api/setup/staff';
  return {
    /** List people of the staff, newest first. */
    ...client.lists<Staff, client.RecordFilter>(requests, path),

    /** Create a person of the staff. */
    create: client.create<Staff, StaffCreate>(requests, path),

    /** Retrieve a person of the staff. */
    retrieve: client.retrieve<Staff>(requests, path),

    /** Update a person of the staff. */
    update: client.update<Staff, StaffUpdate>(requests, path),

    /** Delete a person of the staff. */
    delete: client.remove(requests, path),
  };
};
