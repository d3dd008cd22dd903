// Generated from spec/sales/order.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** The goods that a customer has ordered at once. */
export const Order = z.strictObject({
  id: field.id(),
  /** Moved by submit and cancel; can also be set directly. */
  status: optional(field.text(), 'draft'),
  ordered_on: field.date(),
  company: field.text(),
  /** Currency of the amounts. */
  currency: field.text(),
  contact: optional(field.text()),
  due_on: optional(field.date()),
  shipped_on: optional(field.date()),
  payment_days: optional(field.integer()),
  total: optional(field.number()),
  /** Part of the total that is not paid. */
  discount: optional(field.number()),
  notes: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Order = z.infer<typeof Order>;

export const OrderCreate = creatable(Order);
export const OrderUpdate = updatable(Order);
export const OrderQuery = query(Order, {
  filter: ['status', 'company', 'ordered_on', 'total'],
  sort: ['ordered_on', 'total'],
  search: ['company', 'contact', 'notes'],
});
export const orderTable = record('order', Order, {
  path: 'sales/order',
  transitions: {
    submit: { field: 'status', from: ['draft'], to: 'submitted' },
    cancel: { field: 'status', from: ['submitted'], to: 'cancelled' },
  },
  expand: { 'order-line': 'order_line' },
  list: OrderQuery,
});
