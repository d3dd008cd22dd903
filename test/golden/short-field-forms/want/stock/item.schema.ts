// Generated from spec/stock/item.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** Something that can be sold. */
export const Item = z.strictObject({
  id: field.id(),
  name: optional(field.text()),
  count: optional(field.integer()),
  price: optional(field.number()),
  is_new: optional(field.boolean()),
  colour: optional(field.text()),
  weight: optional(field.number()),
  shape: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Item = z.infer<typeof Item>;

export const ItemCreate = creatable(Item);
export const ItemUpdate = updatable(Item);
export const ItemQuery = query(Item);
export const itemTable = record('item', Item, { path: 'stock/item', list: ItemQuery });
