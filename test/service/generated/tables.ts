// Generated from spec/. Edit the spec, then run `npm run generate`.

export { machineTable } from './assets/machine.schema.ts';
export { competitorTable } from './crm/competitor.schema.ts';
export { contactTable } from './crm/contact.schema.ts';
export { leadTable } from './crm/lead.schema.ts';
export { attachmentTable } from './files/attachment.schema.ts';
export { bomItemTable } from './manufacturing/b-o-m-item.schema.ts';
export { discountBrandTable } from './sales/discount-brand.schema.ts';
export { orderTable } from './sales/order.schema.ts';
export { orderLineTable } from './sales/order-line.schema.ts';
export { bookingSettingsTable } from './workshop/booking-settings.schema.ts';
export { bookingSlotTable } from './workshop/booking-slot.schema.ts';
