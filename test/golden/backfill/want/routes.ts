// Generated from spec/. Edit the spec, then run `npm run generate`.

export { orderRoutes } from './shop/order.routes.ts';
