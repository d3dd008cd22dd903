// Generated from spec/booking/slot.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, listItems, remove, reorder, update } from '../../runtime/index.ts';
import { SlotCreate, SlotQuery, slotTable, SlotUpdate } from './slot.schema.ts';

/** The routes of `/api/booking/slot`. All of them also answer 401, 403, 429, 500 and 503. */
export const slotRoutes = new Hono<Env>()

  // List the slots of a parent, by idx. Answers 200, 400.
  .get('/', listItems(slotTable, SlotQuery))

  // Create a slot. Answers 201, 400, 409, 413, 415, 422.
  .post('/', create(slotTable, SlotCreate))

  // Update a slot. Answers 200, 400, 404, 409, 413, 415, 422.
  .patch('/:id', update(slotTable, SlotUpdate))

  // Delete a slot. Answers 200, 400, 404.
  .delete('/:id', remove(slotTable))

  // Reorder the slots of a parent. Answers 200, 400, 404, 413, 415, 422.
  .post('/reorder', reorder(slotTable));
