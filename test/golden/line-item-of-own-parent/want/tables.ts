// Generated from spec/. Edit the spec, then run `npm run generate`.

export { orderLineTable } from './sales/order-line.schema.ts';
export { salesOrderTable } from './sales/purchase-order.schema.ts';
