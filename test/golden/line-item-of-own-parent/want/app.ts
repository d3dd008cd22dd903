// Generated from spec/. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import type { Env, Service } from '../runtime/index.ts';
import * as routes from './routes.ts';
import * as tables from './tables.ts';

export const app = new Hono<Env>()
  .route('/api/sales/order-line', routes.orderLineRoutes)
  .route('/api/sales/purchase-order', routes.salesOrderRoutes);

export const service: Service = {
  name: 'shop',
  title: 'Shop',
  app,
  tables: Object.values(tables),
  openapi: new URL('./openapi.json', import.meta.url),
};
