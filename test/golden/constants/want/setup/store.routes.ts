// Generated from spec/setup/store.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { StoreCreate, StoreQuery, storeTable, StoreUpdate } from './store.schema.ts';

/** The routes of `/api/setup/store`. All of them also answer 401, 403, 429, 500 and 503. */
export const storeRoutes = new Hono<Env>()

  // List stores, newest first. Answers 200, 400.
  .get('/', list(storeTable, StoreQuery))

  // Create a store. Answers 201, 400, 413, 415, 422.
  .post('/', create(storeTable, StoreCreate))

  // Retrieve a store. Answers 200, 400, 404.
  .get('/:id', retrieve(storeTable))

  // Update a store. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(storeTable, StoreUpdate))

  // Delete a store. Answers 200, 400, 404.
  .delete('/:id', remove(storeTable));
