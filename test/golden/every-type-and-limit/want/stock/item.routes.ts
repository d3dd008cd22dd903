// Generated from spec/stock/item.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, list, remove, retrieve, update } from '../../runtime/index.ts';
import { ItemCreate, ItemQuery, itemTable, ItemUpdate } from './item.schema.ts';

/** The routes of `/api/stock/item`. All of them also respond 401, 403, 429, 500 and 503. */
export const itemRoutes = new Hono<Env>()

  // List items, newest first. Responds 200, 400.
  .get('/', list(itemTable, ItemQuery))

  // Create an item. Responds 201, 400, 409, 413, 415, 422.
  .post('/', create(itemTable, ItemCreate))

  // Retrieve an item. Responds 200, 304, 400, 404.
  .get('/:id', retrieve(itemTable))

  // Update an item. Responds 200, 400, 404, 409, 412, 413, 415, 422.
  .patch('/:id', update(itemTable, ItemUpdate))

  // Delete an item. Responds 200, 400, 404, 412, 422.
  .delete('/:id', remove(itemTable));
