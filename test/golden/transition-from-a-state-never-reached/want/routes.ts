// Generated from spec/. Edit the spec, then run `npm run generate`.

export { orderRoutes } from './sales/order.routes.ts';
