// Generated from spec/sales/order.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';
import type { OrderLine } from './order-line.client.ts';

/** The goods that a customer has ordered at once. */
export interface Order {
  readonly id: string;
  /** Moved by submit and cancel; can also be set directly. */
  status: string | null;
  ordered_on: string;
  company: string;
  /** Currency of the amounts. */
  currency: string;
  contact: string | null;
  due_on: string | null;
  shipped_on: string | null;
  payment_days: number | null;
  total: number | null;
  /** Part of the total that is not paid. */
  discount: number | null;
  notes: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type OrderCreate = client.Creatable<Order, 'company' | 'currency' | 'ordered_on'>;
export type OrderUpdate = client.Updatable<Order>;

/** The filters of lists of orders. */
export interface OrderFilter extends client.RecordFilter {
  status?: client.TextFilter;
  company?: client.TextFilter;
  ordered_on?: client.DateFilter;
  total?: client.NumberFilter;
}

export type OrderSort = 'ordered_on' | 'total';

/** The line items that orders can be shown with. */
export interface OrderExpand {
  order_line: OrderLine;
}

/** The operations of `/api/sales/order`. */
export const orderOperations = (requests: client.Requests) => {
  const path = '/api/sales/order';
  return {
    /** List orders, newest first. */
    ...client.searchedLists<Order, OrderFilter, OrderSort, OrderExpand>(requests, path),

    /** Create an order. */
    create: client.create<Order, OrderCreate>(requests, path),

    /** Retrieve an order. */
    retrieve: client.retrieve<Order, OrderExpand>(requests, path),

    /** Update an order. */
    update: client.update<Order, OrderUpdate>(requests, path),

    /** Delete an order. */
    delete: client.remove(requests, path),

    /** Submit an order: status from draft to submitted. */
    submit: client.change<Order>(requests, path, 'submit'),

    /** Cancel an order: status from submitted to cancelled. */
    cancel: client.change<Order>(requests, path, 'cancel'),
  };
};
