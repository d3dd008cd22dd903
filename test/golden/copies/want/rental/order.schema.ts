// Generated from spec/rental/order.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  backfilled,
  copied,
  creatable,
  field,
  listed,
  optional,
  query,
  readOnly,
  record,
  refers,
  renamed,
  updatable,
} from '../../runtime/index.ts';

/** What a customer rents. */
export const Order = z.strictObject({
  id: field.id(),
  customer_id: refers('customer', { onDelete: 'restrict' }),
  /** As on the invoice. */
  currency: copied(field.oneOf(['EUR', 'USD', 'CHF']), {
    table: 'customer',
    field: 'currency',
    reference: 'customer_id',
  }),
  old_currency: renamed(
    copied(backfilled(field.text({ max: 3 }), 'EUR'), {
      table: 'customer',
      field: 'currency',
      reference: 'customer_id',
    }),
    'money',
  ),
  agent: copied(optional(field.text({ max: 40 })), { table: 'customer', field: 'agent', reference: 'customer_id' }),
  tax_rate: readOnly(
    copied(optional(field.decimal({ digits: 4, scale: 3 })), { table: 'rental_settings', field: 'tax_rate' }),
  ),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Order = z.infer<typeof Order>;

export const OrderCreate = creatable(Order);
export const OrderUpdate = updatable(Order);
export const OrderQuery = query(Order);
export const orderTable = record('order', Order, { path: 'rental/order' }, [listed(OrderQuery)]);
