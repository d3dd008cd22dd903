// Generated from spec/manufacturing/b-o-m-explosion-item.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { boolean, creatable, id, lineItem, number, optional, position, text, updatable } from '../../runtime/index.ts';

/** A material of a bill of materials once its sub-assemblies are broken down into their own parts. */
export const BomExplosionItem = z.strictObject({
  id: id(),
  idx: position(),
  /** Bill of materials the item belongs to. It is kept outside this service. */
  bom_id: text(),
  item_code: optional(text()),
  item_name: optional(text()),
  source_warehouse: optional(text()),
  operation: optional(text()),
  description: optional(text()),
  image: optional(text()),
  image_view: optional(text()),
  /** Quantity in `stock_uom`. */
  stock_qty: optional(number()),
  rate: optional(number()),
  /** Quantity that goes into one unit of the product. */
  qty_consumed_per_unit: optional(number()),
  /** Unit of measure in stock. */
  stock_uom: optional(text()),
  amount: optional(number()),
  include_item_in_manufacturing: optional(boolean(), false),
  /** Whether the supplier provides the item. */
  sourced_by_supplier: optional(boolean(), false),
  /** Whether the item is itself put together from others. */
  is_sub_assembly_item: optional(boolean(), false),
});
export type BomExplosionItem = z.infer<typeof BomExplosionItem>;

export const BomExplosionItemCreate = creatable(BomExplosionItem);
export const BomExplosionItemUpdate = updatable(BomExplosionItem);
export const bomExplosionItemTable = lineItem('bom_explosion_item', BomExplosionItem, {
  title: 'BOM explosion item',
  parent: { field: 'bom_id' },
});
