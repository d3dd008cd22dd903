// Generated from spec/accounts/p-o-s-item-group.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** An item group that a point of sale profile includes. */
export interface PosItemGroup {
  readonly id: string;
  idx: number;
  /** Point of sale profile. It is kept outside this service. */
  pos_profile_id: string;
  item_group: string;
}

export type PosItemGroupCreate = client.Creatable<PosItemGroup, 'item_group' | 'pos_profile_id'>;
export type PosItemGroupUpdate = client.Updatable<PosItemGroup>;

/** The filters of lists of POS item groups. */
export interface PosItemGroupFilter extends client.ItemFilter {
  item_group?: client.TextFilter;
}

/** The operations of `/api/accounts/p-o-s-item-group`. */
export const posItemGroupOperations = (requests: client.Requests) => {
  const path = '/api/accounts/p-o-s-item-group';
  return {
    /** List the POS item groups of a parent, by idx. */
    ...client.itemLists<PosItemGroup, PosItemGroupFilter>(requests, path),

    /** Create a POS item group. */
    create: client.create<PosItemGroup, PosItemGroupCreate>(requests, path),

    /** Update a POS item group. */
    update: client.update<PosItemGroup, PosItemGroupUpdate>(requests, path),

    /** Delete a POS item group. */
    delete: client.remove(requests, path),

    /** Reorder the POS item groups of a parent. */
    reorder: client.reorder<PosItemGroup>(requests, path),

    /** Count POS item groups. */
    count: client.itemCounts<PosItemGroup, PosItemGroupFilter, 'pos_profile_id', never>(requests, path),
  };
};
