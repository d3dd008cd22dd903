// Generated from spec/kinds/object.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { ObjectCreate, ObjectQuery, objectTable, ObjectUpdate } from './object.schema.ts';

/** The routes of `/api/kinds/object`. All of them also answer 401, 403, 429, 500 and 503. */
export const objectRoutes = new Hono<Env>()

  // List objects, newest first. Answers 200, 400.
  .get('/', list(objectTable, ObjectQuery))

  // Create an object. Answers 201, 400, 413, 415, 422.
  .post('/', create(objectTable, ObjectCreate))

  // Retrieve an object. Answers 200, 400, 404.
  .get('/:id', retrieve(objectTable))

  // Update an object. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(objectTable, ObjectUpdate))

  // Delete an object. Answers 200, 400, 404.
  .delete('/:id', remove(objectTable));
