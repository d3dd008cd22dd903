// Generated from spec/shop/order.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  backfilled,
  creatable,
  defaulted,
  field,
  immutable,
  optional,
  query,
  record,
  updatable,
} from '../../runtime/index.ts';

/** An order of goods. */
export const Order = z.strictObject({
  id: field.id(),
  /** The moment of the order. */
  ordered_at: backfilled(defaulted(field.dateTime(), field.now()), '2020-01-01T00:00:00.000Z'),
  seen_at: immutable(optional(field.dateTime(), field.now())),
  ordered_on: optional(field.date(), field.today()),
  word: optional(field.text(), 'now'),
  other: defaulted(field.text(), 'today'),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Order = z.infer<typeof Order>;

export const OrderCreate = creatable(Order);
export const OrderUpdate = updatable(Order);
export const OrderQuery = query(Order);
export const orderTable = record('order', Order, { path: 'shop/order', list: OrderQuery });
