// Generated from spec/sales/purchase-order.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, id, optional, record, text, timestamp, updatable } from '../../runtime/index.ts';

/** What somebody has bought. */
export const SalesOrder = z.strictObject({
  id: id(),
  customer: optional(text()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type SalesOrder = z.infer<typeof SalesOrder>;

export const SalesOrderCreate = creatable(SalesOrder);
export const SalesOrderUpdate = updatable(SalesOrder);
export const salesOrderTable = record('sales_order', SalesOrder);
