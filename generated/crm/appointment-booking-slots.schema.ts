// Generated from spec/crm/appointment-booking-slots.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { creatable, field, lineItem, listed, query, updatable } from '../../runtime/index.ts';

/** A span of time on a day of the week in which appointments can be booked. */
export const AppointmentBookingSlots = z.strictObject({
  id: field.id(),
  idx: field.position(),
  appointment_booking_settings_id: field.text(),
  day_of_week: field.text(),
  from_time: field.text(),
  to_time: field.text(),
});
export type AppointmentBookingSlots = z.infer<typeof AppointmentBookingSlots>;

export const AppointmentBookingSlotsCreate = creatable(AppointmentBookingSlots);
export const AppointmentBookingSlotsUpdate = updatable(AppointmentBookingSlots);
export const AppointmentBookingSlotsQuery = query(AppointmentBookingSlots, {
  filter: ['day_of_week'],
});
export const appointmentBookingSlotsTable = lineItem(
  'appointment_booking_slots',
  AppointmentBookingSlots,
  {
    path: 'crm/appointment-booking-slots',
    parent: { field: 'appointment_booking_settings_id', table: 'appointment_booking_settings' },
  },
  [listed(AppointmentBookingSlotsQuery)],
);
