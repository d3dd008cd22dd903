// Generated from spec/booking/calendar.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { field, optional, singleton, updatable } from '../../runtime/index.ts';

/** When something can be booked. */
export const Calendar = z.strictObject({
  id: field.id(),
  name: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type Calendar = z.infer<typeof Calendar>;

export const CalendarUpdate = updatable(Calendar);
export const calendarTable = singleton('calendar', Calendar, {
  path: 'booking/calendar',
  expand: { slot: 'slot' },
});
