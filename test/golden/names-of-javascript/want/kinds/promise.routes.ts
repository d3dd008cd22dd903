// Generated from spec/kinds/promise.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, listItems, remove, reorder, update } from '../../runtime/index.ts';
import { PromiseCreate, PromiseQuery, promiseTable, PromiseUpdate } from './promise.schema.ts';

/** The routes of `/api/kinds/promise`. All of them also answer 401, 403, 429, 500 and 503. */
export const promiseRoutes = new Hono<Env>()

  // List the promises of a parent, by idx. Answers 200, 400.
  .get('/', listItems(promiseTable, PromiseQuery))

  // Create a promise. Answers 201, 400, 409, 413, 415, 422.
  .post('/', create(promiseTable, PromiseCreate))

  // Update a promise. Answers 200, 400, 404, 409, 413, 415, 422.
  .patch('/:id', update(promiseTable, PromiseUpdate))

  // Delete a promise. Answers 200, 400, 404.
  .delete('/:id', remove(promiseTable))

  // Reorder the promises of a parent. Answers 200, 400, 404, 413, 415, 422.
  .post('/reorder', reorder(promiseTable));
