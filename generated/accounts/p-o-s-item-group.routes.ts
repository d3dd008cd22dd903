// Generated from spec/accounts/p-o-s-item-group.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, listItems, remove, reorder, update } from '../../runtime/index.ts';
import {
  PosItemGroupCreate,
  PosItemGroupQuery,
  posItemGroupTable,
  PosItemGroupUpdate,
} from './p-o-s-item-group.schema.ts';

/** The routes of `/api/accounts/p-o-s-item-group`. All of them also respond 401, 403, 429, 500 and 503. */
export const posItemGroupRoutes = new Hono<Env>()

  // List the POS item groups of a parent, by idx. Responds 200, 400.
  .get('/', listItems(posItemGroupTable, PosItemGroupQuery))

  // Create a POS item group. Responds 201, 400, 409, 413, 415, 422.
  .post('/', create(posItemGroupTable, PosItemGroupCreate))

  // Update a POS item group. Responds 200, 400, 404, 412, 413, 415, 422.
  .patch('/:id', update(posItemGroupTable, PosItemGroupUpdate))

  // Delete a POS item group. Responds 200, 400, 404, 412, 422.
  .delete('/:id', remove(posItemGroupTable))

  // Reorder the POS item groups of a parent. Responds 200, 400, 404, 413, 415, 422.
  .post('/reorder', reorder(posItemGroupTable));
