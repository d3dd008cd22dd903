// Generated from spec/manufacturing/b-o-m-explosion-item.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A material of a bill of materials once its sub-assemblies are broken down into their own parts. */
export interface BomExplosionItem {
  readonly id: string;
  idx: number;
  /** Bill of materials the item belongs to. It is kept outside this service. */
  bom_id: string;
  item_code: string | null;
  item_name: string | null;
  source_warehouse: string | null;
  operation: string | null;
  description: string | null;
  image: string | null;
  image_view: string | null;
  /** Quantity in `stock_uom`. */
  stock_qty: number | null;
  rate: number | null;
  /** Quantity that goes into one unit of the product. */
  qty_consumed_per_unit: number | null;
  /** Unit of measure in stock. */
  stock_uom: string | null;
  amount: number | null;
  include_item_in_manufacturing: boolean | null;
  /** Whether the supplier provides the item. */
  sourced_by_supplier: boolean | null;
  /** Whether the item is itself put together from others. */
  is_sub_assembly_item: boolean | null;
}

export type BomExplosionItemCreate = client.Creatable<BomExplosionItem, 'bom_id'>;
export type BomExplosionItemUpdate = client.Updatable<BomExplosionItem>;

/** The filters of lists of BOM explosion items. */
export interface BomExplosionItemFilter extends client.ItemFilter {
  item_code?: client.TextFilter;
}

/** The operations of `/api/manufacturing/b-o-m-explosion-item`. */
export const bomExplosionItemOperations = (requests: client.Requests) => {
  const path = '/api/manufacturing/b-o-m-explosion-item';
  return {
    /** List the BOM explosion items of a parent, by idx. */
    ...client.searchedItemLists<BomExplosionItem, BomExplosionItemFilter>(requests, path),

    /** Create a BOM explosion item. */
    create: client.create<BomExplosionItem, BomExplosionItemCreate>(requests, path),

    /** Update a BOM explosion item. */
    update: client.update<BomExplosionItem, BomExplosionItemUpdate>(requests, path),

    /** Delete a BOM explosion item. */
    delete: client.remove(requests, path),

    /** Reorder the BOM explosion items of a parent. */
    reorder: client.reorder<BomExplosionItem>(requests, path),

    /** Count BOM explosion items. */
    count: client.itemCounts<BomExplosionItem, BomExplosionItemFilter, 'bom_id', 'amount', string>(requests, path),
  };
};
