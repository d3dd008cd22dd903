// Generated from spec/workshop/booking-settings.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { field, initiallyNull, optional, singleton, updatable } from '../../runtime/index.ts';

/** How visits to the workshop can be booked. */
export const BookingSettings = z.strictObject({
  id: field.id(),
  number_of_bays: optional(field.integer(), 1),
  /** Null until it is first set. */
  holiday_list: initiallyNull(field.text()),
  visit_minutes: optional(field.integer(), 60),
  email_reminders: optional(field.boolean(), false),
  /** How many days ahead a visit can be booked. */
  days_ahead: optional(field.integer(), 7),
  takes_bookings: optional(field.boolean(), false),
  confirmation_page: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type BookingSettings = z.infer<typeof BookingSettings>;

export const BookingSettingsUpdate = updatable(BookingSettings);
export const bookingSettingsTable = singleton('booking_settings', BookingSettings, {
  path: 'workshop/booking-settings',
  expand: { 'booking-slot': 'booking_slot' },
});
