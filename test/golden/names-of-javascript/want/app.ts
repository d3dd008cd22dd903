// Generated from spec/. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import type { Env, Service } from '../runtime/index.ts';
import * as routes from './routes.ts';
import * as tables from './tables.ts';

export const app = new Hono<Env>()
  .route('/api/constructor/car', routes.carRoutes)
  .route('/api/kinds/date', routes.dateRoutes)
  .route('/api/kinds/object', routes.objectRoutes)
  .route('/api/kinds/promise', routes.promiseRoutes)
  .route('/api/kinds/record', routes.recordRoutes)
  .route('/api/kinds/z', routes.zRoutes);

export const service: Service = {
  name: 'shop',
  title: 'Shop',
  app,
  tables: Object.values(tables),
  openapi: new URL('./openapi.json', import.meta.url),
};
