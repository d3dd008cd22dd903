// Generated from spec/setup/settings.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { type Env, retrieveSingleton } from '../../runtime/index.ts';
import { settingsTable } from './settings.schema.ts';

/** The routes of `/api/setup/settings`. All of them also respond 401, 403, 429, 500 and 503. */
export const settingsRoutes = new Hono<Env>()

  // Retrieve the iPad settings. Responds 200, 304, 400.
  .get('/', retrieveSingleton(settingsTable));
