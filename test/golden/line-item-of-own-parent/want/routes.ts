// Generated from spec/. Edit the spec, then run `npm run generate`.

export { orderLineRoutes } from './sales/order-line.routes.ts';
export { salesOrderRoutes } from './sales/purchase-order.routes.ts';
