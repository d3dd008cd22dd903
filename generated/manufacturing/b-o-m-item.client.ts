// Generated from spec/manufacturing/b-o-m-item.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A material or part that a bill of materials calls for. */
export interface BomItem {
  readonly id: string;
  idx: number;
  /** Bill of materials the item belongs to. It is kept outside this service. */
  bom_id: string;
  item_code: string;
  item_name: string | null;
  operation: string | null;
  /** Bill of materials of the item itself. */
  bom_no: string | null;
  source_warehouse: string | null;
  description: string | null;
  image: string | null;
  image_view: string | null;
  /** Quantity in `uom`. */
  qty: number;
  /** Unit of measure. */
  uom: string;
  /** Quantity in `stock_uom`. */
  stock_qty: number | null;
  /** Unit of measure in stock. */
  stock_uom: string | null;
  /** Relates `uom` to `stock_uom`. */
  conversion_factor: number | null;
  rate: number;
  base_rate: number | null;
  amount: number | null;
  base_amount: number | null;
  /** Quantity that goes into one unit of the product. */
  qty_consumed_per_unit: number | null;
  allow_alternative_item: boolean | null;
  include_item_in_manufacturing: boolean | null;
  /** Item that this one takes the place of. */
  original_item: string | null;
  has_variants: boolean | null;
  /** Whether the supplier provides the item. */
  sourced_by_supplier: boolean | null;
  /** Whether the item is not broken down into its own parts. */
  do_not_explode: boolean | null;
  is_stock_item: boolean | null;
  operation_row_id: number | null;
  /** Whether the item is itself put together from others. */
  is_sub_assembly_item: boolean | null;
  /** Whether the item only groups parts and is never stocked. */
  is_phantom_item: boolean | null;
}

export type BomItemCreate = client.Creatable<BomItem, 'bom_id' | 'item_code' | 'qty' | 'rate' | 'uom'>;
export type BomItemUpdate = client.Updatable<BomItem>;

/** The filters of lists of BOM items. */
export interface BomItemFilter extends client.ItemFilter {
  item_code?: client.TextFilter;
}

/** The operations of `/api/manufacturing/b-o-m-item`. */
export const bomItemOperations = (requests: client.Requests) => {
  const path = '/api/manufacturing/b-o-m-item';
  return {
    /** List the BOM items of a parent, by idx. */
    ...client.searchedItemLists<BomItem, BomItemFilter>(requests, path),

    /** Create a BOM item. */
    create: client.create<BomItem, BomItemCreate>(requests, path),

    /** Update a BOM item. */
    update: client.update<BomItem, BomItemUpdate>(requests, path),

    /** Delete a BOM item. */
    delete: client.remove(requests, path),

    /** Reorder the BOM items of a parent. */
    reorder: client.reorder<BomItem>(requests, path),

    /** Count BOM items. */
    count: client.itemCounts<BomItem, BomItemFilter, 'bom_id', 'amount', string>(requests, path),
  };
};
