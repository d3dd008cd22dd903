// Generated from spec/sales/order-line.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** One thing of a purchase. */
export interface OrderLine {
  readonly id: string;
  idx: number;
  readonly order_id: string;
  item: string;
  amount: number | null;
}

export type OrderLineCreate = client.Creatable<OrderLine, 'item' | 'order_id'>;
export type OrderLineUpdate = client.Updatable<OrderLine>;

/** The operations of `/api/sales/order-line`. */
export const orderLineOperations = (requests: client.Requests) => {
  const path = '/api/sales/order-line';
  return {
    /** List the order lines of a parent, by idx. */
    ...client.itemLists<OrderLine, client.ItemFilter>(requests, path),

    /** Create an order line. */
    create: client.create<OrderLine, OrderLineCreate>(requests, path),

    /** Update an order line. */
    update: client.update<OrderLine, OrderLineUpdate>(requests, path),

    /** Delete an order line. */
    delete: client.remove(requests, path),

    /** Reorder the order lines of a parent. */
    reorder: client.reorder<OrderLine>(requests, path),
  };
};
