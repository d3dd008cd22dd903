// Generated from spec/kinds/promise.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** What somebody has promised to do. */
export interface Promise {
  readonly id: string;
  idx: number;
  record_id: string;
}

export type PromiseCreate = client.Creatable<Promise, 'record_id'>;
export type PromiseUpdate = client.Updatable<Promise>;

/** The operations of `/api/kinds/promise`. */
export const promiseOperations = (requests: client.Requests) => {
  const path = '/api/kinds/promise';
  return {
    /** List the promises of a parent, by idx. */
    ...client.itemLists<Promise, client.ItemFilter>(requests, path),

    /** Create a promise. */
    create: client.create<Promise, PromiseCreate>(requests, path),

    /** Update a promise. */
    update: client.update<Promise, PromiseUpdate>(requests, path),

    /** Delete a promise. */
    delete: client.remove(requests, path),

    /** Reorder the promises of a parent. */
    reorder: client.reorder<Promise>(requests, path),
  };
};
