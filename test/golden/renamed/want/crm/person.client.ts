// Generated from spec/crm/person.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A person who may buy something. */
export interface Person {
  readonly id: string;
  /** First and last name. */
  full_name: string;
  phone: string | null;
  is_new: boolean | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type PersonCreate = client.Creatable<Person, 'full_name'>;
export type PersonUpdate = client.Updatable<Person>;

/** The operations of `/api/crm/person`. */
export const personOperations = (requests: client.Requests) => {
  const path = '/api/crm/person';
  return {
    /** List persons, newest first. */
    ...client.lists<Person, client.RecordFilter>(requests, path),

    /** Create a person. */
    create: client.create<Person, PersonCreate>(requests, path),

    /** Retrieve a person. */
    retrieve: client.retrieve<Person>(requests, path),

    /** Update a person. */
    update: client.update<Person, PersonUpdate>(requests, path),

    /** Delete a person. */
    delete: client.remove(requests, path),
  };
};
