// Generated from spec/crm/lead.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { LeadCreate, LeadQuery, leadTable, LeadUpdate } from './lead.schema.ts';

/** The routes of `/api/crm/lead`. All of them also respond 401, 403, 429, 500 and 503. */
export const leadRoutes = new Hono<Env>()

  // List leads, newest first. Responds 200, 400.
  .get('/', list(leadTable, LeadQuery))

  // Create a lead. Responds 201, 400, 413, 415, 422.
  .post('/', create(leadTable, LeadCreate))

  // Retrieve a lead. Responds 200, 304, 400, 404.
  .get('/:id', retrieve(leadTable))

  // Update a lead. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(leadTable, LeadUpdate))

  // Delete a lead. Responds 200, 400, 404, 412, 422.
  .delete('/:id', remove(leadTable));
