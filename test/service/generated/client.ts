// Generated from spec/. Edit the spec, then run `npm run generate`.
import * as client from '../runtime/client/index.ts';
import { machineOperations } from './assets/machine.client.ts';
import { competitorOperations } from './crm/competitor.client.ts';
import { contactOperations } from './crm/contact.client.ts';
import { leadOperations } from './crm/lead.client.ts';
import { attachmentOperations } from './files/attachment.client.ts';
import { bomItemOperations } from './manufacturing/b-o-m-item.client.ts';
import { discountBrandOperations } from './sales/discount-brand.client.ts';
import { orderOperations } from './sales/order.client.ts';
import { orderLineOperations } from './sales/order-line.client.ts';
import { bookingSettingsOperations } from './workshop/booking-settings.client.ts';
import { bookingSlotOperations } from './workshop/booking-slot.client.ts';

const resources = (requests: client.Requests) => ({
  assets: {
    machine: machineOperations(requests),
  },
  crm: {
    competitor: competitorOperations(requests),
    contact: contactOperations(requests),
    lead: leadOperations(requests),
  },
  files: {
    attachment: attachmentOperations(requests),
  },
  manufacturing: {
    bomItem: bomItemOperations(requests),
  },
  sales: {
    discountBrand: discountBrandOperations(requests),
    order: orderOperations(requests),
    orderLine: orderLineOperations(requests),
  },
  workshop: {
    bookingSettings: bookingSettingsOperations(requests),
    bookingSlot: bookingSlotOperations(requests),
  },
});

/** Makes a client of Workshop. */
export const createClient = (options: client.ClientOptions) => client.connect(options, '/api', resources);

export { ApiFailure, type ClientOptions, type Problem } from '../runtime/client/index.ts';
export type * from './assets/machine.client.ts';
export type * from './crm/competitor.client.ts';
export type * from './crm/contact.client.ts';
export type * from './crm/lead.client.ts';
export type * from './files/attachment.client.ts';
export type * from './manufacturing/b-o-m-item.client.ts';
export type * from './sales/discount-brand.client.ts';
export type * from './sales/order.client.ts';
export type * from './sales/order-line.client.ts';
export type * from './workshop/booking-settings.client.ts';
export type * from './workshop/booking-slot.client.ts';
