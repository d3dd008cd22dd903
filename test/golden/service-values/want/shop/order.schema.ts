// Generated from spec/shop/order.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, defaulted, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** An order of goods. */
export const Order = z.strictObject({
  id: field.id(),
  /** How soon it is needed. The values are the enum priority of spec/service.yaml. */
  priority: defaulted(field.oneOf(['low', 'high']), 'low'),
  /** The values are the enum priority of spec/service.yaml. */
  risk: optional(field.oneOf(['low', 'high'])),
  ordered_on: optional(field.date(), field.today('Europe/Amsterdam')),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Order = z.infer<typeof Order>;

export const OrderCreate = creatable(Order);
export const OrderUpdate = updatable(Order);
export const OrderQuery = query(Order);
export const orderTable = record('order', Order, { path: 'shop/order', list: OrderQuery });
