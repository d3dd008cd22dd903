// Generated from spec/. Edit the spec, then run `npm run generate`.

export { calendarTable } from './booking/calendar.schema.ts';
export { slotTable } from './booking/slot.schema.ts';
export { orderLineTable } from './sales/order-line.schema.ts';
export { salesOrderTable } from './sales/purchase-order.schema.ts';
