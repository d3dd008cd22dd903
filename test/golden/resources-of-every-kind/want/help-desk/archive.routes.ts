// Generated from spec/help-desk/archive.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { type Env, retrieve } from '../../runtime/index.ts';
import { archiveTable } from './archive.schema.ts';

/** The routes of `/api/help-desk/archive`. All of them also respond 401, 403, 429, 500 and 503. */
export const archiveRoutes = new Hono<Env>()

  // Retrieve an archive. Responds 200, 304, 400, 404.
  .get('/:id', retrieve(archiveTable));
