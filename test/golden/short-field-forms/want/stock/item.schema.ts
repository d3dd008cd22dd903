// Generated from spec/stock/item.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  boolean,
  creatable,
  id,
  integer,
  number,
  optional,
  record,
  text,
  timestamp,
  updatable,
} from '../../runtime/index.ts';

/** Something that can be sold. */
export const Item = z.strictObject({
  id: id(),
  name: optional(text()),
  count: optional(integer()),
  price: optional(number()),
  is_new: optional(boolean()),
  colour: optional(text()),
  weight: optional(number()),
  shape: optional(text()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Item = z.infer<typeof Item>;

export const ItemCreate = creatable(Item);
export const ItemUpdate = updatable(Item);
export const itemTable = record('item', Item);
