// Generated from spec/. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import type { Env, Service } from '../runtime/index.ts';
import * as routes from './routes.ts';
import * as tables from './tables.ts';

export const app = new Hono<Env>()
  .route('/api/help-desk/answer', routes.answerRoutes)
  .route('/api/help-desk/archive', routes.archiveRoutes)
  .route('/api/help-desk/question', routes.questionRoutes)
  .route('/api/help-desk/settings', routes.settingsRoutes);

export const service: Service = {
  name: 'shop',
  title: 'Shop',
  basePath: '/api',
  app,
  tables: Object.values(tables),
  openapi: new URL('./openapi.json', import.meta.url),
};
