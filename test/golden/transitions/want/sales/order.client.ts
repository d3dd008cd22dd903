// Generated from spec/sales/order.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** What somebody has bought. */
export interface Order {
  readonly id: string;
  status: 'draft' | 'submitted' | 'in delivery' | "can't be delivered" | 'cancelled' | null;
  /** Any text. */
  payment: string | null;
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

    /** Submit an order: status from draft to submitted. */
    submit: client.change<Order>(requests, path, 'submit'),

    /** Deliver an order: status from submitted or can't be delivered to in delivery. */
    deliver: client.change<Order>(requests, path, 'deliver'),

    /** Give up an order: status from in delivery to can't be delivered. */
    giveUp: client.change<Order>(requests, path, 'give-up'),

    /** Cancel an order: status from draft or submitted or in delivery or can't be delivered to cancelled. */
    cancel: client.change<Order>(requests, path, 'cancel'),

    /** Remind an order: payment from open to overdue. */
    remind: client.change<Order>(requests, path, 'remind'),

    /** Mark paid an order: payment from open or overdue to paid. */
    markPaid: client.change<Order>(requests, path, 'mark-paid'),
  };
};
