// Generated from spec/crm/order.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** An order. */
export const Order = z.strictObject({
  id: field.id(),
  customer_id: field.reference('customer'),
  payer: optional(field.reference('customer', { onDelete: 'cascade', onMissing: 'set_null' })),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Order = z.infer<typeof Order>;

export const OrderCreate = creatable(Order);
export const OrderUpdate = updatable(Order);
export const OrderQuery = query(Order);
export const orderTable = record('order', Order, { path: 'crm/order', list: OrderQuery });
