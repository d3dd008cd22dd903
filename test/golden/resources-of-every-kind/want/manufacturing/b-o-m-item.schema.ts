// Generated from spec/manufacturing/b-o-m-item.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, lineItem, listed, optional, query, updatable } from '../../runtime/index.ts';

/** One part of a bill of materials, which is kept elsewhere. */
export const BomItem = z.strictObject({
  id: field.id(),
  idx: field.position(),
  bom_id: field.text(),
  item_code: field.text(),
  amount: optional(field.number()),
});
export type BomItem = z.infer<typeof BomItem>;

export const BomItemCreate = creatable(BomItem);
export const BomItemUpdate = updatable(BomItem);
export const BomItemQuery = query(BomItem);
export const bomItemTable = lineItem(
  'bom_item',
  BomItem,
  { path: 'manufacturing/b-o-m-item', title: 'BOM item', parent: { field: 'bom_id' } },
  [listed(BomItemQuery)],
);
