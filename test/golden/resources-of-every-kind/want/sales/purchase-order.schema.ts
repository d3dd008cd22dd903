// Generated from spec/sales/purchase-order.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, immutable, optional, query, record, updatable } from '../../runtime/index.ts';

/** A purchase of a customer. */
export const SalesOrder = z.strictObject({
  id: field.id(),
  seller_id: immutable(field.reference('staff')),
  payer: optional(field.reference('staff', { onDelete: 'cascade', onMissing: 'set_null' })),
  /** The purchase before. */
  former_id: optional(field.reference('sales_order', { onDelete: 'set_null' })),
  letter: optional(field.text({ max: 10485760 })),
  status: optional(field.oneOf(['draft', 'submitted', 'in delivery', "can't be delivered", 'cancelled']), 'draft'),
  /** Any text. */
  payment: optional(field.text(), 'open'),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type SalesOrder = z.infer<typeof SalesOrder>;

export const SalesOrderCreate = creatable(SalesOrder);
export const SalesOrderUpdate = updatable(SalesOrder);
export const SalesOrderQuery = query(SalesOrder);
export const salesOrderTable = record('sales_order', SalesOrder, {
  path: 'sales/purchase-order',
  maxBody: 16 * 1024 * 1024,
  events: false,
  lock: { field: 'status', states: ['in delivery', 'cancelled'], except: ['letter'] },
  transitions: {
    submit: { field: 'status', from: ['draft'], to: 'submitted' },
    deliver: { field: 'status', from: ['submitted', "can't be delivered"], to: 'in delivery' },
    'give-up': { field: 'status', from: ['in delivery'], to: "can't be delivered" },
    cancel: { field: 'status', from: ['draft', 'submitted', 'in delivery', "can't be delivered"], to: 'cancelled' },
    remind: { field: 'payment', from: ['open'], to: 'overdue' },
    'mark-paid': { field: 'payment', from: ['open', 'overdue'], to: 'paid' },
  },
  expand: { 'order-line': 'order_line' },
  list: SalesOrderQuery,
});
