// Generated from spec/stock/item.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  boolean,
  creatable,
  date,
  dateTime,
  id,
  integer,
  number,
  oneOf,
  optional,
  record,
  text,
  timestamp,
  updatable,
} from '../../runtime/index.ts';

/** Something that can be bought and sold. */
export const Item = z.strictObject({
  id: id(),
  name: text(),
  code: text({ min: 3, max: 20 }),
  sku: optional(text({ pattern: /^[A-Z]{2}\/\d+$/u }), 'AB/1'),
  note: optional(text({ max: 1000 })),
  colour: optional(oneOf(['red', 'green', 'blue'])),
  shape: oneOf(['round', 'square']),
  made_on: optional(date()),
  sold_on: date(),
  seen_at: optional(dateTime()),
  sold_at: dateTime(),
  count: optional(integer()),
  rooms: integer({ min: 1 }),
  floor: optional(integer({ min: -5, max: 120 }), 0),
  weight: optional(number()),
  price: number({ min: 0.01 }),
  discount: optional(number({ min: -0.5, max: 0.5 }), 0.25),
  huge: optional(number({ max: 1e21 }), -1.5e-7),
  is_new: optional(boolean()),
  is_sold: boolean(),
  is_kept: optional(boolean(), true),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Item = z.infer<typeof Item>;

export const ItemCreate = creatable(Item);
export const ItemUpdate = updatable(Item);
export const itemTable = record('item', Item);
