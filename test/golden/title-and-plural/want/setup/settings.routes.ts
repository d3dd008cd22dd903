// Generated from spec/setup/settings.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { type Env, retrieveSingleton, update } from '../../runtime/index.ts';
import { settingsTable, SettingsUpdate } from './settings.schema.ts';

/** The routes of `/api/setup/settings`. All of them also respond 401, 403, 429, 500 and 503. */
export const settingsRoutes = new Hono<Env>()

  // Retrieve the iPad settings. Responds 200, 400.
  .get('/', retrieveSingleton(settingsTable))

  // Update the iPad settings. Responds 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(settingsTable, SettingsUpdate));
