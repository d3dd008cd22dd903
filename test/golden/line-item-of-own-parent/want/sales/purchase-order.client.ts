// Generated from spec/sales/purchase-order.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';
import type { OrderLine } from './order-line.client.ts';

/** A purchase of a customer. */
export interface SalesOrder {
  readonly id: string;
  customer: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type SalesOrderCreate = client.Creatable<SalesOrder>;
export type SalesOrderUpdate = client.Updatable<SalesOrder>;

/** The line items that sales orders can be shown with. */
export interface SalesOrderExpand {
  order_line: OrderLine;
}

/** The operations of `/api/sales/purchase-order`. */
export const salesOrderOperations = (requests: client.Requests) => {
  const path = '/api/sales/purchase-order';
  return {
    /** List sales orders, newest first. */
    ...client.lists<SalesOrder, client.RecordFilter, never, SalesOrderExpand>(requests, path),

    /** Create a sales order. */
    create: client.create<SalesOrder, SalesOrderCreate>(requests, path),

    /** Retrieve a sales order. */
    retrieve: client.retrieve<SalesOrder, SalesOrderExpand>(requests, path),

    /** Update a sales order. */
    update: client.update<SalesOrder, SalesOrderUpdate>(requests, path),

    /** Delete a sales order. */
    delete: client.remove(requests, path),
  };
};
