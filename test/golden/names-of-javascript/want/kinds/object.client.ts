// Generated from spec/kinds/object.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A thing that is sold. */
export interface Object {
  readonly id: string;
  string: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export type ObjectCreate = client.Creatable<Object, 'string'>;
export type ObjectUpdate = client.Updatable<Object>;

/** The operations of `/api/kinds/object`. */
export const objectOperations = (requests: client.Requests) => {
  const path = '/api/kinds/object';
  return {
    /** List objects, newest first. */
    ...client.lists<Object, client.RecordFilter>(requests, path),

    /** Create an object. */
    create: client.create<Object, ObjectCreate>(requests, path),

    /** Retrieve an object. */
    retrieve: client.retrieve<Object>(requests, path),

    /** Update an object. */
    update: client.update<Object, ObjectUpdate>(requests, path),

    /** Delete an object. */
    delete: client.remove(requests, path),
  };
};
