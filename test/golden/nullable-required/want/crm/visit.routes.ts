// Generated from spec/crm/visit.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { VisitCreate, VisitQuery, visitTable, VisitUpdate } from './visit.schema.ts';

/** The routes of `/api/crm/visit`. All of them also answer 401, 403, 429, 500 and 503. */
export const visitRoutes = new Hono<Env>()

  // List visits, newest first. Answers 200, 400.
  .get('/', list(visitTable, VisitQuery))

  // Create a visit. Answers 201, 400, 413, 415, 422.
  .post('/', create(visitTable, VisitCreate))

  // Retrieve a visit. Answers 200, 400, 404.
  .get('/:id', retrieve(visitTable))

  // Update a visit. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(visitTable, VisitUpdate))

  // Delete a visit. Answers 200, 400, 404.
  .delete('/:id', remove(visitTable));
