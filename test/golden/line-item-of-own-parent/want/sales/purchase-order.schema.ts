// Generated from spec/sales/purchase-order.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, optional, query, record, updatable } from '../../runtime/index.ts';

/** A purchase of a customer. */
export const SalesOrder = z.strictObject({
  id: field.id(),
  customer: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type SalesOrder = z.infer<typeof SalesOrder>;

export const SalesOrderCreate = creatable(SalesOrder);
export const SalesOrderUpdate = updatable(SalesOrder);
export const SalesOrderQuery = query(SalesOrder);
export const salesOrderTable = record('sales_order', SalesOrder, {
  path: 'sales/purchase-order',
  expand: { 'order-line': 'order_line' },
  list: SalesOrderQuery,
});
