// Generated from spec/manufacturing/b-o-m-item.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  boolean,
  creatable,
  id,
  integer,
  lineItem,
  number,
  optional,
  position,
  text,
  updatable,
} from '../../runtime/index.ts';

/** A material or part that a bill of materials calls for. */
export const BomItem = z.strictObject({
  id: id(),
  idx: position(),
  /** Bill of materials the item belongs to. It is kept outside this service. */
  bom_id: text(),
  item_code: text(),
  item_name: optional(text()),
  operation: optional(text()),
  /** Bill of materials of the item itself. */
  bom_no: optional(text()),
  source_warehouse: optional(text()),
  description: optional(text()),
  image: optional(text()),
  image_view: optional(text()),
  /** Quantity in `uom`. */
  qty: number(),
  /** Unit of measure. */
  uom: text(),
  /** Quantity in `stock_uom`. */
  stock_qty: optional(number()),
  /** Unit of measure in stock. */
  stock_uom: optional(text()),
  /** Relates `uom` to `stock_uom`. */
  conversion_factor: optional(number()),
  rate: number(),
  base_rate: optional(number()),
  amount: optional(number()),
  base_amount: optional(number()),
  /** Quantity that goes into one unit of the product. */
  qty_consumed_per_unit: optional(number()),
  allow_alternative_item: optional(boolean(), false),
  include_item_in_manufacturing: optional(boolean(), false),
  /** Item that this one takes the place of. */
  original_item: optional(text()),
  has_variants: optional(boolean(), false),
  /** Whether the supplier provides the item. */
  sourced_by_supplier: optional(boolean(), false),
  /** Whether the item is not broken down into its own parts. */
  do_not_explode: optional(boolean(), false),
  is_stock_item: optional(boolean(), false),
  operation_row_id: optional(integer()),
  /** Whether the item is itself put together from others. */
  is_sub_assembly_item: optional(boolean(), false),
  /** Whether the item only groups parts and is never stocked. */
  is_phantom_item: optional(boolean(), false),
});
export type BomItem = z.infer<typeof BomItem>;

export const BomItemCreate = creatable(BomItem);
export const BomItemUpdate = updatable(BomItem);
export const bomItemTable = lineItem('bom_item', BomItem, {
  title: 'BOM item',
  parent: { field: 'bom_id' },
});
