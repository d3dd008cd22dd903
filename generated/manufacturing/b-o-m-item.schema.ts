// Generated from spec/manufacturing/b-o-m-item.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { counted, creatable, field, lineItem, listed, optional, query, updatable } from '../../runtime/index.ts';

/** A material or part that a bill of materials calls for. */
export const BomItem = z.strictObject({
  id: field.id(),
  idx: field.position(),
  /** Bill of materials the item belongs to. It is kept outside this service. */
  bom_id: field.text(),
  item_code: field.text(),
  item_name: optional(field.text()),
  operation: optional(field.text()),
  /** Bill of materials of the item itself. */
  bom_no: optional(field.text()),
  source_warehouse: optional(field.text()),
  description: optional(field.text()),
  image: optional(field.text()),
  image_view: optional(field.text()),
  /** Quantity in `uom`. */
  qty: field.number(),
  /** Unit of measure. */
  uom: field.text(),
  /** Quantity in `stock_uom`. */
  stock_qty: optional(field.number()),
  /** Unit of measure in stock. */
  stock_uom: optional(field.text()),
  /** Relates `uom` to `stock_uom`. */
  conversion_factor: optional(field.number()),
  rate: field.number(),
  base_rate: optional(field.number()),
  amount: optional(field.number()),
  base_amount: optional(field.number()),
  /** Quantity that goes into one unit of the product. */
  qty_consumed_per_unit: optional(field.number()),
  allow_alternative_item: optional(field.boolean(), false),
  include_item_in_manufacturing: optional(field.boolean(), false),
  /** Item that this one takes the place of. */
  original_item: optional(field.text()),
  has_variants: optional(field.boolean(), false),
  /** Whether the supplier provides the item. */
  sourced_by_supplier: optional(field.boolean(), false),
  /** Whether the item is not broken down into its own parts. */
  do_not_explode: optional(field.boolean(), false),
  is_stock_item: optional(field.boolean(), false),
  operation_row_id: optional(field.integer()),
  /** Whether the item is itself put together from others. */
  is_sub_assembly_item: optional(field.boolean(), false),
  /** Whether the item only groups parts and is never stocked. */
  is_phantom_item: optional(field.boolean(), false),
});
export type BomItem = z.infer<typeof BomItem>;

export const BomItemCreate = creatable(BomItem);
export const BomItemUpdate = updatable(BomItem);
export const BomItemQuery = query(BomItem, {
  filter: ['item_code'],
  search: ['item_code', 'item_name', 'description'],
});
export const bomItemTable = lineItem(
  'bom_item',
  BomItem,
  { path: 'manufacturing/b-o-m-item', title: 'BOM item', parent: { field: 'bom_id' } },
  [listed(BomItemQuery), counted({ by: ['bom_id'], sum: ['amount'] })],
);
