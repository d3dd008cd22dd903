// Generated from spec/manufacturing/b-o-m-item.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, id, lineItem, number, optional, position, text, updatable } from '../../runtime/index.ts';

/** One part of a bill of materials, which is kept elsewhere. */
export const BomItem = z.strictObject({
  id: id(),
  idx: position(),
  bom_id: text(),
  item_code: text(),
  amount: optional(number()),
});
export type BomItem = z.infer<typeof BomItem>;

export const BomItemCreate = creatable(BomItem);
export const BomItemUpdate = updatable(BomItem);
export const bomItemTable = lineItem('bom_item', BomItem, {
  title: 'BOM item',
  parent: { field: 'bom_id' },
});
