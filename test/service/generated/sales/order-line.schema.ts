// Generated from spec/sales/order-line.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, lineItem, optional, query, updatable } from '../../runtime/index.ts';

/** One thing of those that were ordered. */
export const OrderLine = z.strictObject({
  id: field.id(),
  idx: field.position(),
  order_id: field.text(),
  article: field.text(),
  quantity: optional(field.number()),
  due_on: optional(field.date()),
});
export type OrderLine = z.infer<typeof OrderLine>;

export const OrderLineCreate = creatable(OrderLine);
export const OrderLineUpdate = updatable(OrderLine);
export const OrderLineQuery = query(OrderLine, {
  filter: ['article', 'quantity', 'due_on'],
  sort: ['due_on'],
});
export const orderLineTable = lineItem('order_line', OrderLine, {
  path: 'sales/order-line',
  parent: { field: 'order_id', table: 'order' },
  list: OrderLineQuery,
});
