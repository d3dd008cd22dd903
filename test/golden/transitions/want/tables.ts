// Generated from spec/. Edit the spec, then run `npm run generate`.

export { orderTable } from './sales/order.schema.ts';
