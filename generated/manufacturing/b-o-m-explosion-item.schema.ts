// Generated from spec/manufacturing/b-o-m-explosion-item.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { counted, creatable, field, lineItem, listed, optional, query, updatable } from '../../runtime/index.ts';

/** A material of a bill of materials once its sub-assemblies are broken down into their own parts. */
export const BomExplosionItem = z.strictObject({
  id: field.id(),
  idx: field.position(),
  /** Bill of materials the item belongs to. It is kept outside this service. */
  bom_id: field.text(),
  item_code: optional(field.text()),
  item_name: optional(field.text()),
  source_warehouse: optional(field.text()),
  operation: optional(field.text()),
  description: optional(field.text()),
  image: optional(field.text()),
  image_view: optional(field.text()),
  /** Quantity in `stock_uom`. */
  stock_qty: optional(field.number()),
  rate: optional(field.number()),
  /** Quantity that goes into one unit of the product. */
  qty_consumed_per_unit: optional(field.number()),
  /** Unit of measure in stock. */
  stock_uom: optional(field.text()),
  amount: optional(field.number()),
  include_item_in_manufacturing: optional(field.boolean(), false),
  /** Whether the supplier provides the item. */
  sourced_by_supplier: optional(field.boolean(), false),
  /** Whether the item is itself put together from others. */
  is_sub_assembly_item: optional(field.boolean(), false),
});
export type BomExplosionItem = z.infer<typeof BomExplosionItem>;

export const BomExplosionItemCreate = creatable(BomExplosionItem);
export const BomExplosionItemUpdate = updatable(BomExplosionItem);
export const BomExplosionItemQuery = query(BomExplosionItem, {
  filter: ['item_code'],
  search: ['item_code', 'item_name', 'description'],
});
export const bomExplosionItemTable = lineItem(
  'bom_explosion_item',
  BomExplosionItem,
  { path: 'manufacturing/b-o-m-explosion-item', title: 'BOM explosion item', parent: { field: 'bom_id' } },
  [listed(BomExplosionItemQuery), counted({ by: ['bom_id'], sum: ['amount'] })],
);
