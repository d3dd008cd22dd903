// Generated from spec/. Edit the spec, then run `npm run generate`.

export { calendarRoutes } from './booking/calendar.routes.ts';
export { slotRoutes } from './booking/slot.routes.ts';
export { orderLineRoutes } from './sales/order-line.routes.ts';
export { salesOrderRoutes } from './sales/purchase-order.routes.ts';
