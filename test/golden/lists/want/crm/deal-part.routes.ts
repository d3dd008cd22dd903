// Generated from spec/crm/deal-part.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, listItems, remove, reorder, update } from '../../runtime/index.ts';
import { DealPartCreate, DealPartQuery, dealPartTable, DealPartUpdate } from './deal-part.schema.ts';

/** The routes of `/api/crm/deal-part`. All of them also answer 401, 403, 429, 500 and 503. */
export const dealPartRoutes = new Hono<Env>()

  // List the deal parts of a parent, by idx. Answers 200, 400.
  .get('/', listItems(dealPartTable, DealPartQuery))

  // Create a deal part. Answers 201, 400, 409, 413, 415, 422.
  .post('/', create(dealPartTable, DealPartCreate))

  // Update a deal part. Answers 200, 400, 404, 409, 413, 415, 422.
  .patch('/:id', update(dealPartTable, DealPartUpdate))

  // Delete a deal part. Answers 200, 400, 404.
  .delete('/:id', remove(dealPartTable))

  // Reorder the deal parts of a parent. Answers 200, 400, 404, 413, 415, 422.
  .post('/reorder', reorder(dealPartTable));
