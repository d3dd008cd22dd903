// Generated from spec/sales/order.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  creatable,
  expands,
  field,
  listed,
  optional,
  query,
  readOnly,
  record,
  ruled,
  updatable,
} from '../../runtime/index.ts';
import { orderLogic } from './order.rules.ts';

/** Goods that a customer orders. */
export const Order = z.strictObject({
  id: field.id(),
  discount: optional(field.decimal({ digits: 12, scale: 2 })),
  due: readOnly(field.decimal({ digits: 12, scale: 2 })),
  total: readOnly(field.decimal({ digits: 12, scale: 2 })),
  lines: readOnly(field.integer()),
  last_sent_on: readOnly(optional(field.date())),
  is_paid: readOnly(field.boolean()),
  average: readOnly(optional(field.decimal({ digits: 12, scale: 2 }))),
  days: readOnly(optional(field.integer())),
  note: readOnly(optional(field.text({ max: 80 }))),
  delay: optional(field.integer()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Order = z.infer<typeof Order>;

export const OrderCreate = creatable(Order);
export const OrderUpdate = updatable(Order);
export const OrderQuery = query(Order);
export const orderTable = record('order', Order, { path: 'sales/order' }, [
  listed(OrderQuery),
  ruled(orderLogic),
  expands('order-line', 'order_line'),
]);
