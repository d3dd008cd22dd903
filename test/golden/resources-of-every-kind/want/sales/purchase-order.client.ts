// Generated from spec/sales/purchase-order.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A purchase of a customer. */
export interface SalesOrder {
  readonly id: string;
  readonly seller_id: string;
  payer: string | null;
  /** The purchase before. */
  former_id: string | null;
  letter: string | null;
  status: 'draft' | 'submitted' | 'in delivery' | "can't be delivered" | 'cancelled' | null;
  /** Any text. */
  payment: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type SalesOrderCreate = client.Creatable<SalesOrder, 'seller_id'>;
export type SalesOrderUpdate = client.Updatable<SalesOrder>;

/** The filters of lists of sales orders. */
export interface SalesOrderFilter extends client.RecordFilter {
  seller_id?: client.ReferenceFilter;
  payer?: client.ReferenceFilter;
  former_id?: client.ReferenceFilter;
}

/** The operations of `/api/sales/purchase-order`. */
export const salesOrderOperations = (requests: client.Requests) => {
  const path = '/api/sales/purchase-order';
  return {
    /** List sales orders, newest first. */
    ...client.lists<SalesOrder, SalesOrderFilter>(requests, path),

    /** Create a sales order. */
    create: client.create<SalesOrder, SalesOrderCreate>(requests, path),

    /** Retrieve a sales order. */
    retrieve: client.retrieve<SalesOrder>(requests, path),

    /** Update a sales order. */
    update: client.update<SalesOrder, SalesOrderUpdate>(requests, path),

    /** Delete a sales order. */
    delete: client.remove(requests, path),

    /** Submit a sales order: status from draft to submitted. */
    submit: client.change<SalesOrder>(requests, path, 'submit'),

    /** Deliver a sales order: status from submitted or can't be delivered to in delivery. */
    deliver: client.change<SalesOrder>(requests, path, 'deliver'),

    /** Give up a sales order: status from in delivery to can't be delivered. */
    giveUp: client.change<SalesOrder>(requests, path, 'give-up'),

    /** Cancel a sales order: status from draft or submitted or in delivery or can't be delivered to cancelled. */
    cancel: client.change<SalesOrder>(requests, path, 'cancel'),

    /** Remind a sales order: payment from open to overdue. */
    remind: client.change<SalesOrder>(requests, path, 'remind'),

    /** Mark paid a sales order: payment from open or overdue to paid. */
    markPaid: client.change<SalesOrder>(requests, path, 'mark-paid'),
  };
};
