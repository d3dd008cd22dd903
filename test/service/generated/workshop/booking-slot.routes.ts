// Generated from spec/workshop/booking-slot.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { create, type Env, listItems, remove, reorder, update } from '../../runtime/index.ts';
import { BookingSlotCreate, BookingSlotQuery, bookingSlotTable, BookingSlotUpdate } from './booking-slot.schema.ts';

/** The routes of `/api/workshop/booking-slot`. All of them also answer 401, 403, 429, 500 and 503. */
export const bookingSlotRoutes = new Hono<Env>()

  // List the booking slots of a parent, by idx. Answers 200, 400.
  .get('/', listItems(bookingSlotTable, BookingSlotQuery))

  // Create a booking slot. Answers 201, 400, 409, 413, 415, 422.
  .post('/', create(bookingSlotTable, BookingSlotCreate))

  // Update a booking slot. Answers 200, 400, 404, 409, 413, 415, 422.
  .patch('/:id', update(bookingSlotTable, BookingSlotUpdate))

  // Delete a booking slot. Answers 200, 400, 404.
  .delete('/:id', remove(bookingSlotTable))

  // Reorder the booking slots of a parent. Answers 200, 400, 404, 413, 415, 422.
  .post('/reorder', reorder(bookingSlotTable));
