// Generated from spec/crm/appointment-booking-settings.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import { expands, field, initiallyNull, optional, singleton, updatable } from '../../runtime/index.ts';

/** How appointments can be booked, from the number of agents to the length of an appointment. */
export const AppointmentBookingSettings = z.strictObject({
  id: field.id(),
  number_of_agents: optional(field.integer(), 1),
  /** Null until it is first set. */
  holiday_list: initiallyNull(field.text()),
  appointment_duration: optional(field.integer(), 60),
  email_reminders: optional(field.boolean(), false),
  /** How many days ahead an appointment can be booked. */
  advance_booking_days: optional(field.integer(), 7),
  enable_scheduling: optional(field.boolean(), false),
  success_redirect_url: optional(field.text()),
  created_at: field.timestamp(),
  updated_at: field.timestamp(),
});
export type AppointmentBookingSettings = z.infer<typeof AppointmentBookingSettings>;

export const AppointmentBookingSettingsUpdate = updatable(AppointmentBookingSettings);
export const appointmentBookingSettingsTable = singleton(
  'appointment_booking_settings',
  AppointmentBookingSettings,
  { path: 'crm/appointment-booking-settings' },
  [expands('appointment-booking-slots', 'appointment_booking_slots')],
);
