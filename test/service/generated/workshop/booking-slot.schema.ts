// Generated from spec/workshop/booking-slot.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, lineItem, query, updatable } from '../../runtime/index.ts';

/** A span of time on a day of the week in which visits can be booked. */
export const BookingSlot = z.strictObject({
  id: field.id(),
  idx: field.position(),
  booking_settings_id: field.text(),
  day_of_week: field.oneOf(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']),
  from_time: field.text({ pattern: /^([01][0-9]|2[0-3]):[0-5][0-9]$/u }),
  to_time: field.text({ pattern: /^([01][0-9]|2[0-3]):[0-5][0-9]$/u }),
});
export type BookingSlot = z.infer<typeof BookingSlot>;

export const BookingSlotCreate = creatable(BookingSlot);
export const BookingSlotUpdate = updatable(BookingSlot);
export const BookingSlotQuery = query(BookingSlot, {
  filter: ['day_of_week'],
});
export const bookingSlotTable = lineItem('booking_slot', BookingSlot, {
  path: 'workshop/booking-slot',
  parent: { field: 'booking_settings_id', table: 'booking_settings' },
  list: BookingSlotQuery,
});
