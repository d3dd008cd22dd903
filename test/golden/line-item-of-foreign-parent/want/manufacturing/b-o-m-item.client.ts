// Generated from spec/manufacturing/b-o-m-item.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** One part of a bill of materials, which is kept elsewhere. */
export interface BomItem {
  readonly id: string;
  idx: number;
  bom_id: string;
  item_code: string;
  amount: number | null;
}

export type BomItemCreate = client.Creatable<BomItem, 'bom_id' | 'item_code'>;
export type BomItemUpdate = client.Updatable<BomItem>;

/** The operations of `/api/manufacturing/b-o-m-item`. */
export const bomItemOperations = (requests: client.Requests) => {
  const path = '/api/manufacturing/b-o-m-item';
  return {
    /** List the BOM items of a parent, by idx. */
    ...client.itemLists<BomItem, client.ItemFilter>(requests, path),

    /** Create a BOM item. */
    create: client.create<BomItem, BomItemCreate>(requests, path),

    /** Update a BOM item. */
    update: client.update<BomItem, BomItemUpdate>(requests, path),

    /** Delete a BOM item. */
    delete: client.remove(requests, path),

    /** Reorder the BOM items of a parent. */
    reorder: client.reorder<BomItem>(requests, path),
  };
};
