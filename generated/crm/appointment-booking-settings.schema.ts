// Generated from spec/crm/appointment-booking-settings.yaml. Edit the spec, then run `npm run generate`.
import { z } from 'zod';
import {
  boolean,
  id,
  initiallyNull,
  integer,
  optional,
  singleton,
  text,
  timestamp,
  updatable,
} from '../../runtime/index.ts';

/** How appointments can be booked, from the number of agents to the length of an appointment. */
export const AppointmentBookingSettings = z.strictObject({
  id: id(),
  number_of_agents: optional(integer(), 1),
  /** Null until it is first set. */
  holiday_list: initiallyNull(text()),
  appointment_duration: optional(integer(), 60),
  email_reminders: optional(boolean(), false),
  /** How many days ahead an appointment can be booked. */
  advance_booking_days: optional(integer(), 7),
  enable_scheduling: optional(boolean(), false),
  success_redirect_url: optional(text()),
  created_at: timestamp(),
  updated_at: timestamp(),
});
export type AppointmentBookingSettings = z.infer<typeof AppointmentBookingSettings>;

export const AppointmentBookingSettingsUpdate = updatable(AppointmentBookingSettings);
export const appointmentBookingSettingsTable = singleton('appointment_booking_settings', AppointmentBookingSettings);
