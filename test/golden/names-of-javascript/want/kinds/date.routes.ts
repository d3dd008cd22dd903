// Generated from spec/kinds/date.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { DateCreate, DateQuery, dateTable, DateUpdate } from './date.schema.ts';

/** The routes of `/api/kinds/date`. All of them also answer 401, 403, 429, 500 and 503. */
export const dateRoutes = new Hono<Env>()

  // List dates, newest first. Answers 200, 400.
  .get('/', list(dateTable, DateQuery))

  // Create a date. Answers 201, 400, 413, 415, 422.
  .post('/', create(dateTable, DateCreate))

  // Retrieve a date. Answers 200, 400, 404.
  .get('/:id', retrieve(dateTable))

  // Update a date. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(dateTable, DateUpdate))

  // Delete a date. Answers 200, 400, 404.
  .delete('/:id', remove(dateTable));
