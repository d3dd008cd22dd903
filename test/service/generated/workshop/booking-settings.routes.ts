// Generated from spec/workshop/booking-settings.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { type Env, retrieveSingleton, update } from '../../runtime/index.ts';
import { bookingSettingsTable, BookingSettingsUpdate } from './booking-settings.schema.ts';

/** The routes of `/api/workshop/booking-settings`. All of them also answer 401, 403, 429, 500 and 503. */
export const bookingSettingsRoutes = new Hono<Env>()

  // Retrieve the booking settings. Answers 200, 400.
  .get('/', retrieveSingleton(bookingSettingsTable))

  // Update the booking settings. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(bookingSettingsTable, BookingSettingsUpdate));
