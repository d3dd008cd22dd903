// Generated from spec/sales/order.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** What somebody has bought. */
export interface Order {
  readonly id: string;
  status: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type OrderCreate = client.Creatable<Order>;
export type OrderUpdate = client.Updatable<Order>;

/** The operations of `/api/sales/order`. */
export const orderOperations = (requests: client.Requests) => {
  const path = '/api/sales/order';
  return {
    /** List orders, newest first. */
    ...client.lists<Order, client.RecordFilter>(requests, path),

    /** Create an order. */
    create: client.create<Order, OrderCreate>(requests, path),

    /** Retrieve an order. */
    retrieve: client.retrieve<Order>(requests, path),

    /** Update an order. */
    update: client.update<Order, OrderUpdate>(requests, path),

    /** Delete an order. */
    delete: client.remove(requests, path),

    /** Submit an order: status from draft or daft to submitted. */
    submit: client.transition<Order>(requests, path, 'submit'),

    /** Cancel an order: status from sumbitted to cancelled. */
    cancel: client.transition<Order>(requests, path, 'cancel'),
  };
};
