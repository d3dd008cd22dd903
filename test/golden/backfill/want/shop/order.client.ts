// Generated from spec/shop/order.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** Something that was bought. */
export interface Order {
  readonly id: string;
  number: string;
  /** Where it was bought. */
  channel: 'shop' | 'web';
  parcels: number;
  discount: number;
  is_gift: boolean;
  note: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export type OrderCreate = client.Creatable<Order, 'channel' | 'discount' | 'is_gift' | 'note' | 'number' | 'parcels'>;
export type OrderUpdate = client.Updatable<Order>;

/** The operations of `/api/shop/order`. */
export const orderOperations = (requests: client.Requests) => {
  const path = '/api/shop/order';
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
  };
};
