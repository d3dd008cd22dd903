// Generated from spec/accounts/subscription-settings.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { type Env, retrieveSingleton, update } from '../../runtime/index.ts';
import { subscriptionSettingsTable, SubscriptionSettingsUpdate } from './subscription-settings.schema.ts';

/** The routes of `/api/accounts/subscription-settings`. All of them also respond 401, 403, 429, 500 and 503. */
export const subscriptionSettingsRoutes = new Hono<Env>()

  // Retrieve the subscription settings. Responds 200, 304, 400.
  .get('/', retrieveSingleton(subscriptionSettingsTable))

  // Update the subscription settings. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(subscriptionSettingsTable, SubscriptionSettingsUpdate));
