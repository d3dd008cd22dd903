// Generated from spec/rental/order.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';
import type { Customer } from '../crm/customer.client.ts';

/** What a customer rents. */
export interface Order {
  readonly id: string;
  customer_id: string;
  /** As on the invoice. */
  currency: 'EUR' | 'USD' | 'CHF';
  old_currency: string;
  agent: string | null;
  readonly tax_rate: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type OrderCreate = client.Creatable<Order, 'customer_id', 'tax_rate'>;
export type OrderUpdate = client.Updatable<Order>;

/** The filters of lists of orders. */
export interface OrderFilter extends client.RecordFilter {
  customer_id?: client.ReferenceFilter;
}

/** The records that orders can be shown with. */
export interface OrderExpand {
  customer_id: client.Referenced<'customer', Customer>;
}

/** The operations of `/api/rental/order`. */
export const orderOperations = (requests: client.Requests) => {
  const path = '/api/rental/order';
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
  };
};
