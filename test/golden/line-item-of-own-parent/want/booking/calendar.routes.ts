// Generated from spec/booking/calendar.yaml. Edit the spec, then run `npm run generate`.
import { Hono } from 'hono';
import { type Env, retrieveSingleton, update } from '../../runtime/index.ts';
import { calendarTable, CalendarUpdate } from './calendar.schema.ts';

/** The routes of `/api/booking/calendar`. All of them also answer 401, 403, 429, 500 and 503. */
export const calendarRoutes = new Hono<Env>()

  // Retrieve the calendar. Answers 200, 400.
  .get('/', retrieveSingleton(calendarTable))

  // Update the calendar. Answers 200, 400, 404, 413, 415, 422.
  .patch('/:id', update(calendarTable, CalendarUpdate));
