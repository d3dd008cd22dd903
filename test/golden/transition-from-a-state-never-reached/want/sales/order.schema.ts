// Generated from spec/sales/order.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** What somebody has bought. */
export const Order = z.strictObject({
  id: field.id(),
  status: optional(field.text(), 'draft'),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Order = z.infer<typeof Order>;

export const OrderCreate = creatable(Order);
export const OrderUpdate = updatable(Order);
export const OrderQuery = query(Order);
export const orderTable = record('order', Order, {
  path: 'sales/order',
  transitions: {
    submit: { field: 'status', from: ['draft', 'daft'], to: 'submitted' },
    cancel: { field: 'status', from: ['sumbitted'], to: 'cancelled' },
  },
  list: OrderQuery,
});
