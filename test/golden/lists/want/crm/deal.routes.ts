// Generated from spec/crm/deal.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { DealCreate, DealQuery, dealTable, DealUpdate } from './deal.schema.ts';

/** The routes of `/api/crm/deal`. All of them also answer 401, 403, 429, 500 and 503. */
export const dealRoutes = new Hono<Env>()

  // List deals, newest first. Answers 200, 400.
  .get('/', list(dealTable, DealQuery))

  // Create a deal. Answers 201, 400, 413, 415, 422.
  .post('/', create(dealTable, DealCreate))

  // Retrieve a deal. Answers 200, 400, 404.
  .get('/:id', retrieve(dealTable))

  // Update a deal. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(dealTable, DealUpdate))

  // Delete a deal. Answers 200, 400, 404.
  .delete('/:id', remove(dealTable));
