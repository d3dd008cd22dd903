// Generated from spec/setup/store.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A place where things are sold. */
export interface Store {
  readonly id: string;
  /** Where the store stands. */
  region: string | null;
  zone: "eu's" | 'us' | null;
  page_size: number | null;
  vat: number | null;
  is_open: boolean | null;
  opened_on: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type StoreCreate = client.Creatable<Store>;
export type StoreUpdate = client.Updatable<Store>;

/** The operations of `/api/setup/store`. */
export const storeOperations = (requests: client.Requests) => {
  const path = '/api/setup/store';
  return {
    /** List stores, newest first. */
    ...client.lists<Store, client.RecordFilter>(requests, path),

    /** Create a store. */
    create: client.create<Store, StoreCreate>(requests, path),

    /** Retrieve a store. */
    retrieve: client.retrieve<Store>(requests, path),

    /** Update a store. */
    update: client.update<Store, StoreUpdate>(requests, path),

    /** Delete a store. */
    delete: client.remove(requests, path),
  };
};
