// Generated from spec/. Edit the spec, then run `npm run generate`.

export { orderTable } from './shop/order.schema.ts';
