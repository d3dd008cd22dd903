// Generated from spec/sales/order-line.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, immutable, lineItem, listed, optional, query, updatable } from '../../runtime/index.ts';

/** One thing of a purchase. */
export const OrderLine = z.strictObject({
  id: field.id(),
  idx: field.position(),
  order_id: immutable(field.text()),
  item: field.text({ max: 500 }),
  amount: optional(field.integer({ min: 1 }), 1),
});
export type OrderLine = z.infer<typeof OrderLine>;

export const OrderLineCreate = creatable(OrderLine);
export const OrderLineUpdate = updatable(OrderLine);
export const OrderLineQuery = query(OrderLine);
export const orderLineTable = lineItem(
  'order_line',
  OrderLine,
  { path: 'sales/order-line', maxBody: 1000, parent: { field: 'order_id', table: 'sales_order' } },
  [listed(OrderLineQuery)],
);
