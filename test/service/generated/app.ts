// Generated from spec/. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import type { Env, Service } from '../runtime/index.ts';
import * as routes from './routes.ts';
import * as tables from './tables.ts';

export const app = new Hono<Env>()
  .route('/api/assets/machine', routes.machineRoutes)
  .route('/api/crm/competitor', routes.competitorRoutes)
  .route('/api/crm/contact', routes.contactRoutes)
  .route('/api/crm/lead', routes.leadRoutes)
  .route('/api/files/attachment', routes.attachmentRoutes)
  .route('/api/manufacturing/b-o-m-item', routes.bomItemRoutes)
  .route('/api/sales/discount-brand', routes.discountBrandRoutes)
  .route('/api/sales/order', routes.orderRoutes)
  .route('/api/sales/order-line', routes.orderLineRoutes)
  .route('/api/workshop/booking-settings', routes.bookingSettingsRoutes)
  .route('/api/workshop/booking-slot', routes.bookingSlotRoutes);

export const service: Service = {
  name: 'workshop',
  title: 'Workshop',
  app,
  tables: Object.values(tables),
  openapi: new URL('./openapi.json', import.meta.url),
};
