// Generated from spec/order/select.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, transition, update } from '../../runtime/index.ts';
import { SelectCreate, SelectQuery, selectTable, SelectUpdate } from './select.schema.ts';

/** The routes of `/api/order/select`. All of them also answer 401, 403, 429, 500 and 503. */
export const selectRoutes = new Hono<Env>()

  // List selects, newest first. Answers 200, 400.
  .get('/', list(selectTable, SelectQuery))

  // Create a select. Answers 201, 400, 413, 415, 422.
  .post('/', create(selectTable, SelectCreate))

  // Retrieve a select. Answers 200, 400, 404.
  .get('/:id', retrieve(selectTable))

  // Update a select. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(selectTable, SelectUpdate))

  // Delete a select. Answers 200, 400, 404.
  .delete('/:id', remove(selectTable))

  // Table a select: type from from to where. Answers 200, 400, 404, 409.
  .post('/:id/table', transition(selectTable, { field: 'type', from: ['from'], to: 'where' }));
