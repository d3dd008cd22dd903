// Generated from spec/crm/lead-part.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, listItems, remove, reorder, update } from '../../runtime/index.ts';
import { LeadPartCreate, LeadPartQuery, leadPartTable, LeadPartUpdate } from './lead-part.schema.ts';

/** The routes of `/api/crm/lead-part`. All of them also answer 401, 403, 429, 500 and 503. */
export const leadPartRoutes = new Hono<Env>()

  // List the lead parts of a parent, by idx. Answers 200, 400.
  .get('/', listItems(leadPartTable, LeadPartQuery))

  // Create a lead part. Answers 201, 400, 409, 413, 415, 422.
  .post('/', create(leadPartTable, LeadPartCreate))

  // Update a lead part. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(leadPartTable, LeadPartUpdate))

  // Delete a lead part. Answers 200, 400, 404.
  .delete('/:id', remove(leadPartTable))

  // Reorder the lead parts of a parent. Answers 200, 400, 404, 413, 415, 422.
  .post('/reorder', reorder(leadPartTable));
