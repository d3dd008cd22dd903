// Generated from spec/stock/item.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  creatable,
  defaulted,
  field,
  listed,
  nullable,
  optional,
  query,
  record,
  sequence,
  unique,
  updatable,
} from '../../runtime/index.ts';

/** Something that can be bought and sold. */
export const Item = z.strictObject({
  id: field.id(),
  name: field.text(),
  code: field.text({ min: 3, max: 20 }),
  sku: optional(field.text({ pattern: /^[A-Z]{2}\/\d+$/u }), 'AB/1'),
  note: optional(field.text({ max: 1000 })),
  colour: optional(field.oneOf(['red', 'green', 'blue'])),
  shape: field.oneOf(['round', 'square']),
  made_on: optional(field.date()),
  sold_on: field.date(),
  seen_at: optional(field.dateTime()),
  sold_at: field.dateTime(),
  count: optional(field.integer()),
  rooms: field.integer({ min: 1 }),
  floor: optional(field.integer({ min: -5, max: 120 }), 0),
  weight: optional(field.number()),
  price: field.number({ min: 0.01 }),
  discount: optional(field.number({ min: -0.5, max: 0.5 }), 0.25),
  huge: optional(field.number({ max: 1e21 }), -1.5e-7),
  is_new: optional(field.boolean()),
  is_sold: field.boolean(),
  is_kept: optional(field.boolean(), true),
  settings: optional(field.json()),
  /** How it is shown. */
  layout: nullable(field.json({ maxBytes: 2000 })),
  tags: optional(field.list(field.text())),
  sizes: field.list(field.integer({ min: 0 }), { max: 20, unique: true }),
  marks: defaulted(field.list(field.oneOf(['new', 'used'])), ['new']),
  codes: optional(field.list(field.text({ max: 12, pattern: /^[a-z]+$/u }), { max: 453 }), [
    'north',
    'south',
    'east',
    'west',
  ]),
  /** Its number in the shop. */
  number: sequence('I-{yyyy}{mm}-{000}'),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Item = z.infer<typeof Item>;

export const ItemCreate = creatable(Item);
export const ItemUpdate = updatable(Item);
export const ItemQuery = query(Item);
export const itemTable = record('item', Item, { path: 'stock/item' }, [listed(ItemQuery), unique('number')]);
