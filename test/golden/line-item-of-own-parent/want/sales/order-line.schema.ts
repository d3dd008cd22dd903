// Generated from spec/sales/order-line.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, id, integer, lineItem, optional, position, text, updatable } from '../../runtime/index.ts';

/** One thing that somebody has bought. */
export const OrderLine = z.strictObject({
  id: id(),
  idx: position(),
  order_id: text(),
  item: text(),
  amount: optional(integer({ min: 1 }), 1),
});
export type OrderLine = z.infer<typeof OrderLine>;

export const OrderLineCreate = creatable(OrderLine);
export const OrderLineUpdate = updatable(OrderLine);
export const orderLineTable = lineItem('order_line', OrderLine, {
  parent: { field: 'order_id', table: 'sales_order' },
});
