// Generated from spec/sales/order.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** What somebody has bought. */
export const Order = z.strictObject({
  id: field.id(),
  status: optional(field.oneOf(['draft', 'submitted', 'in delivery', "can't be delivered", 'cancelled']), 'draft'),
  /** Any text. */
  payment: optional(field.text(), 'open'),
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
    submit: { field: 'status', from: ['draft'], to: 'submitted' },
    deliver: { field: 'status', from: ['submitted', "can't be delivered"], to: 'in delivery' },
    'give-up': { field: 'status', from: ['in delivery'], to: "can't be delivered" },
    cancel: { field: 'status', from: ['draft', 'submitted', 'in delivery', "can't be delivered"], to: 'cancelled' },
    remind: { field: 'payment', from: ['open'], to: 'overdue' },
    'mark-paid': { field: 'payment', from: ['open', 'overdue'], to: 'paid' },
  },
  list: OrderQuery,
});
