// Generated from spec/shop/order.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { backfilled, creatable, field, query, record, updatable } from '../../runtime/index.ts';

/** Something that was bought. */
export const Order = z.strictObject({
  id: field.id(),
  number: field.text(),
  /** Where it was bought. */
  channel: backfilled(field.oneOf(['shop', 'web']), 'shop'),
  parcels: backfilled(field.integer({ min: 0 }), 1),
  discount: backfilled(field.number(), 0),
  is_gift: backfilled(field.boolean(), false),
  note: backfilled(field.text({ max: 20 }), 'it\'s "older"'),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Order = z.infer<typeof Order>;

export const OrderCreate = creatable(Order);
export const OrderUpdate = updatable(Order);
export const OrderQuery = query(Order);
export const orderTable = record('order', Order, { path: 'shop/order', list: OrderQuery });
