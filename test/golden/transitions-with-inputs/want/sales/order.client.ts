// Generated from spec/sales/order.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** An order of a customer. */
export interface Order {
  readonly id: string;
  status: 'draft' | 'sent' | 'cancelled';
  readonly reason: string | null;
  readonly refund: string | null;
  tags: ('late' | 'broken')[] | null;
  replaced_by_id: string | null;
  readonly cancelled_on: string | null;
  sent_by: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type OrderCreate = client.Creatable<Order, never, 'cancelled_on' | 'reason' | 'refund'>;
export type OrderUpdate = client.Updatable<Order>;

/** The input of send. */
export interface OrderSendInput {
  carrier?: string | null;
}

/** The input of cancel. */
export interface OrderCancelInput {
  /** Why the customer does not want it. */
  reason: string;
  refund?: string;
  tags?: 'late'[] | null;
  order?: string | null;
  /** When. */
  date?: string | null;
}

/** The filters of lists of orders. */
export interface OrderFilter extends client.RecordFilter {
  replaced_by_id?: client.ReferenceFilter;
}

/** The records that orders can be shown with. */
export interface OrderExpand {
  replaced_by_id: client.Referenced<'replaced_by', Order>;
}

/** The operations of `/api/sales/order`. */
export const orderOperations = (requests: client.Requests) => {
  const path = '/api/sales/order';
  return {
    /** List orders, newest first. */
    ...client.lists<Order, OrderFilter, never, OrderExpand>(requests, path),

    /** Create an order. */
    create: client.create<Order, OrderCreate>(requests, path),

    /** Retrieve an order. */
    retrieve: client.retrieve<Order, OrderExpand>(requests, path),

    /** Update an order. */
    update: client.update<Order, OrderUpdate>(requests, path),

    /** Delete an order. */
    delete: client.remove(requests, path),

    /** Send an order: status from draft to sent. */
    send: client.changeWith<Order, OrderSendInput>(requests, path, 'send'),

    /** Cancel an order: status from draft or sent to cancelled. */
    cancel: client.changeWith<Order, OrderCancelInput>(requests, path, 'cancel'),
  };
};
