// Generated from spec/order/group.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A part of a selection. */
export interface Group {
  readonly id: string;
  idx: number;
  references: string;
  index: number | null;
  values: string | null;
  idx_by: boolean | null;
}

export type GroupCreate = client.Creatable<Group, 'references'>;
export type GroupUpdate = client.Updatable<Group>;

/** The operations of `/api/order/group`. */
export const groupOperations = (requests: client.Requests) => {
  const path = '/api/order/group';
  return {
    /** List the groups of a parent, by idx. */
    ...client.itemLists<Group, client.ItemFilter>(requests, path),

    /** Create a group. */
    create: client.create<Group, GroupCreate>(requests, path),

    /** Update a group. */
    update: client.update<Group, GroupUpdate>(requests, path),

    /** Delete a group. */
    delete: client.remove(requests, path),

    /** Reorder the groups of a parent. */
    reorder: client.reorder<Group>(requests, path),
  };
};
