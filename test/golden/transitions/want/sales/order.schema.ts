// Generated from spec/sales/order.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, id, oneOf, optional, record, text, timestamp, updatable } from '../../runtime/index.ts';

/** What somebody has bought. */
export const Order = z.strictObject({
  id: id(),
  status: optional(oneOf(['draft', 'submitted', 'in delivery', "can't be delivered", 'cancelled']), 'draft'),
  /** Any text. */
  payment: optional(text(), 'open'),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Order = z.infer<typeof Order>;

export const OrderCreate = creatable(Order);
export const OrderUpdate = updatable(Order);
export const orderTable = record('order', Order);
