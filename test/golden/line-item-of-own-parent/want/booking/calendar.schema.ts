// Generated from spec/booking/calendar.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { id, optional, singleton, text, timestamp, updatable } from '../../runtime/index.ts';

/** When something can be booked. */
export const Calendar = z.strictObject({
  id: id(),
  name: optional(text()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type Calendar = z.infer<typeof Calendar>;

export const CalendarUpdate = updatable(Calendar);
export const calendarTable = singleton('calendar', Calendar);
