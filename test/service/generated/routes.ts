// Generated from spec/. Edit the spec, then run `npm run generate`.

export { machineRoutes } from './assets/machine.routes.ts';
export { competitorRoutes } from './crm/competitor.routes.ts';
export { contactRoutes } from './crm/contact.routes.ts';
export { leadRoutes } from './crm/lead.routes.ts';
export { attachmentRoutes } from './files/attachment.routes.ts';
export { bomItemRoutes } from './manufacturing/b-o-m-item.routes.ts';
export { discountBrandRoutes } from './sales/discount-brand.routes.ts';
export { orderRoutes } from './sales/order.routes.ts';
export { orderLineRoutes } from './sales/order-line.routes.ts';
export { bookingSettingsRoutes } from './workshop/booking-settings.routes.ts';
export { bookingSlotRoutes } from './workshop/booking-slot.routes.ts';
