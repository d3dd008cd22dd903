// Generated from spec/shop/order.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  backfilled,
  creatable,
  defaulted,
  field,
  optional,
  query,
  readOnly,
  record,
  updatable,
} from '../../runtime/index.ts';

/** An order of goods. */
export const Order = z.strictObject({
  id: field.id(),
  /** Where it stands. */
  stage: defaulted(field.oneOf(['open', 'paid']), 'open'),
  pieces: backfilled(defaulted(field.integer(), 1), 0),
  is_gift: readOnly(defaulted(field.boolean(), false)),
  remarks: optional(field.text(), 'none'),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Order = z.infer<typeof Order>;

export const OrderCreate = creatable(Order);
export const OrderUpdate = updatable(Order);
export const OrderQuery = query(Order, {
  filter: ['stage'],
});
export const orderTable = record('order', Order, { path: 'shop/order', list: OrderQuery });
