// Generated from spec/sales/order-line.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  creatable,
  field,
  lineItem,
  listed,
  optional,
  query,
  readOnly,
  ruled,
  updatable,
} from '../../runtime/index.ts';
import { orderLineLogic } from './order-line.rules.ts';

/** One thing of those that were ordered. */
export const OrderLine = z.strictObject({
  id: field.id(),
  idx: field.position(),
  order_id: field.text(),
  quantity: field.integer(),
  price: field.decimal({ digits: 10, scale: 2 }),
  sent_on: optional(field.date()),
  amount: readOnly(field.decimal({ digits: 12, scale: 2 })),
});
export type OrderLine = z.infer<typeof OrderLine>;

export const OrderLineCreate = creatable(OrderLine);
export const OrderLineUpdate = updatable(OrderLine);
export const OrderLineQuery = query(OrderLine, {
  filter: ['amount'],
  sort: ['amount'],
});
export const orderLineTable = lineItem(
  'order_line',
  OrderLine,
  { path: 'sales/order-line', parent: { field: 'order_id', table: 'order' } },
  [listed(OrderLineQuery), ruled(orderLineLogic)],
);
