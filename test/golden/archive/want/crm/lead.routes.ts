// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { change, create, type Env, list } from '../../runtime/index.ts';
import { LeadCreate, LeadQuery, leadTable } from './lead.schema.ts';

/** The routes of `/api/crm/lead`. All of them also respond 401, 403, 429, 500 and 503. */
export const leadRoutes = new Hono<Env>()

  // List leads, newest first. Responds 200, 400.
  .get('/', list(leadTable, LeadQuery))

  // Create a lead. Responds 201, 400, 413, 415, 422.
  .post('/', create(leadTable, LeadCreate))

  // Archive a lead. Responds 200, 400, 404, 409, 412, 422.
  .post('/:id/archive', change(leadTable, 'archive'))

  // Unarchive a lead. Responds 200, 400, 404, 409, 412, 422.
  .post('/:id/unarchive', change(leadTable, 'unarchive'))

  // Win a lead: status from open to won. Responds 200, 400, 404, 409, 412, 422.
  .post('/:id/win', change(leadTable, 'win'));
