// Generated from spec/shop/order-line.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, immutable, lineItem, query, updatable } from '../../runtime/index.ts';

/** One thing of those that were ordered. */
export const OrderLine = z.strictObject({
  id: field.id(),
  idx: field.position(),
  order_id: immutable(field.text()),
  article: field.text(),
});
export type OrderLine = z.infer<typeof OrderLine>;

export const OrderLineCreate = creatable(OrderLine);
export const OrderLineUpdate = updatable(OrderLine);
export const OrderLineQuery = query(OrderLine);
export const orderLineTable = lineItem('order_line', OrderLine, {
  path: 'shop/order-line',
  parent: { field: 'order_id', table: 'order' },
  list: OrderLineQuery,
});
