// Generated from spec/. Edit the spec, then run `npm run generate`.
import * as client from '../runtime/client/index.ts';
import { orderLineOperations } from './sales/order-line.client.ts';
import { salesOrderOperations } from './sales/purchase-order.client.ts';

const resources = (requests: client.Requests) => ({
  sales: {
    orderLine: orderLineOperations(requests),
    salesOrder: salesOrderOperations(requests),
  },
});

/** Makes a client of Shop. */
export const createClient = (options: client.ClientOptions) => client.connect(options, '/api', resources);

export { ApiFailure, type ClientOptions, type Problem } from '../runtime/client/index.ts';
export type * from './sales/order-line.client.ts';
export type * from './sales/purchase-order.client.ts';
