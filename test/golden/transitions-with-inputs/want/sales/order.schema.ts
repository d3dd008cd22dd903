// Generated from spec/sales/order.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  creatable,
  defaulted,
  field,
  listed,
  optional,
  query,
  readOnly,
  record,
  refers,
  ruled,
  transition,
  updatable,
} from '../../runtime/index.ts';
import { orderLogic } from './order.rules.ts';

/** An order of a customer. */
export const Order = z.strictObject({
  id: field.id(),
  status: defaulted(field.oneOf(['draft', 'sent', 'cancelled']), 'draft'),
  reason: readOnly(optional(field.text({ max: 200 }))),
  refund: readOnly(optional(field.decimal({ digits: 10, scale: 2 }))),
  tags: optional(field.list(field.oneOf(['late', 'broken']))),
  replaced_by_id: optional(refers('order', { onDelete: 'restrict' })),
  cancelled_on: readOnly(optional(field.date())),
  sent_by: optional(field.text({ max: 200 })),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Order = z.infer<typeof Order>;

/** The input of send. */
export const OrderSendInput = z.strictObject({
  carrier: optional(field.text({ max: 100 })),
});

/** The input of cancel. */
export const OrderCancelInput = z.strictObject({
  /** Why the customer does not want it. */
  reason: field.text({ max: 200 }),
  refund: defaulted(field.decimal({ digits: 10, scale: 2 }), '0.00'),
  tags: optional(field.list(field.oneOf(['late']))),
  order: optional(refers('order', { onDelete: 'restrict' })),
  /** When. */
  date: optional(field.date(), field.today()),
});

export const OrderCreate = creatable(Order);
export const OrderUpdate = updatable(Order);
export const OrderQuery = query(Order);
export const orderTable = record('order', Order, { path: 'sales/order' }, [
  listed(OrderQuery),
  ruled(orderLogic),
  transition('send', {
    field: 'status',
    from: ['draft'],
    to: 'sent',
    requires: ['tags'],
    set: { sent_by: { input: 'carrier' } },
    input: OrderSendInput,
  }),
  transition('cancel', {
    field: 'status',
    from: ['draft', 'sent'],
    to: 'cancelled',
    set: {
      reason: { input: 'reason' },
      refund: { input: 'refund' },
      tags: { input: 'tags' },
      replaced_by_id: { input: 'order' },
      cancelled_on: { input: 'date' },
    },
    input: OrderCancelInput,
  }),
]);
