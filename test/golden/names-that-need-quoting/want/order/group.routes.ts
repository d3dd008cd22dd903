// Generated from spec/order/group.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, listItems, remove, reorder, update } from '../../runtime/index.ts';
import { GroupCreate, GroupQuery, groupTable, GroupUpdate } from './group.schema.ts';

/** The routes of `/api/order/group`. All of them also answer 401, 403, 429, 500 and 503. */
export const groupRoutes = new Hono<Env>()

  // List the groups of a parent, by idx. Answers 200, 400.
  .get('/', listItems(groupTable, GroupQuery))

  // Create a group. Answers 201, 400, 409, 413, 415, 422.
  .post('/', create(groupTable, GroupCreate))

  // Update a group. Answers 200, 400, 404, 409, 413, 415, 422.
  .patch('/:id', update(groupTable, GroupUpdate))

  // Delete a group. Answers 200, 400, 404.
  .delete('/:id', remove(groupTable))

  // Reorder the groups of a parent. Answers 200, 400, 404, 413, 415, 422.
  .post('/reorder', reorder(groupTable));
