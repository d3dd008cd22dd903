// Generated from spec/sales/purchase-order.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  creatable,
  field,
  immutable,
  listed,
  locked,
  optional,
  query,
  record,
  refers,
  transition,
  updatable,
} from '../../runtime/index.ts';

/** A purchase of a customer. */
export const SalesOrder = z.strictObject({
  id: field.id(),
  seller_id: immutable(refers('staff', { onDelete: 'restrict', expand: false })),
  payer: optional(refers('staff', { onDelete: 'cascade', onMissing: 'set_null', expand: false })),
  /** The purchase before. */
  former_id: optional(refers('sales_order', { onDelete: 'set_null', expand: false })),
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
export const salesOrderTable = record(
  'sales_order',
  SalesOrder,
  { path: 'sales/purchase-order', maxBody: 16 * 1024 * 1024, events: false },
  [
    listed(SalesOrderQuery),
    locked('status', ['in delivery', 'cancelled'], { except: ['letter'] }),
    transition('submit', { field: 'status', from: ['draft'], to: 'submitted' }),
    transition('deliver', { field: 'status', from: ['submitted', "can't be delivered"], to: 'in delivery' }),
    transition('give-up', { field: 'status', from: ['in delivery'], to: "can't be delivered" }),
    transition('cancel', {
      field: 'status',
      from: ['draft', 'submitted', 'in delivery', "can't be delivered"],
      to: 'cancelled',
    }),
    transition('remind', { field: 'payment', from: ['open'], to: 'overdue' }),
    transition('mark-paid', { field: 'payment', from: ['open', 'overdue'], to: 'paid' }),
  ],
);
