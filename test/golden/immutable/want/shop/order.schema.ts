// Generated from spec/shop/order.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  creatable,
  defaulted,
  field,
  immutable,
  nullable,
  onceSet,
  optional,
  query,
  record,
  renamed,
  updatable,
} from '../../runtime/index.ts';

/** An order of goods. */
export const Order = z.strictObject({
  id: field.id(),
  /** Who has ordered. */
  customer: immutable(field.text()),
  channel: immutable(defaulted(field.text(), 'shop')),
  coupon: renamed(immutable(optional(field.text())), 'voucher'),
  /** The day of the payment. */
  paid_on: onceSet(optional(field.date())),
  checked_by: onceSet(nullable(field.text())),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Order = z.infer<typeof Order>;

export const OrderCreate = creatable(Order);
export const OrderUpdate = updatable(Order);
export const OrderQuery = query(Order);
export const orderTable = record('order', Order, {
  path: 'shop/order',
  expand: { 'order-line': 'order_line' },
  list: OrderQuery,
});
