// Generated from spec/setup/shop-settings.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { type Env, retrieveSingleton, update } from '../../runtime/index.ts';
import { shopSettingsTable, ShopSettingsUpdate } from './shop-settings.schema.ts';

/** The routes of `/api/setup/shop-settings`. All of them also respond 401, 403, 429, 500 and 503. */
export const shopSettingsRoutes = new Hono<Env>()

  // Retrieve the shop settings. Responds 200, 304, 400.
  .get('/', retrieveSingleton(shopSettingsTable))

  // Update the shop settings. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(shopSettingsTable, ShopSettingsUpdate));
