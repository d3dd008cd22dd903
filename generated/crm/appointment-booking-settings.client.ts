// Generated from spec/crm/appointment-booking-settings.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';
import type { AppointmentBookingSlots } from './appointment-booking-slots.client.ts';

/** How appointments can be booked, from the number of agents to the length of an appointment. */
export interface AppointmentBookingSettings {
  readonly id: string;
  number_of_agents: number | null;
  /** Null until it is first set. */
  holiday_list: string | null;
  appointment_duration: number | null;
  email_reminders: boolean | null;
  /** How many days ahead an appointment can be booked. */
  advance_booking_days: number | null;
  enable_scheduling: boolean | null;
  success_redirect_url: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type AppointmentBookingSettingsUpdate = client.Updatable<AppointmentBookingSettings, 'holiday_list'>;

/** The line items that appointment booking settings can be shown with. */
export interface AppointmentBookingSettingsExpand {
  appointment_booking_slots: AppointmentBookingSlots;
}

/** The operations of `/api/crm/appointment-booking-settings`. */
export const appointmentBookingSettingsOperations = (requests: client.Requests) => {
  const path = '/api/crm/appointment-booking-settings';
  return {
    /** Retrieve the appointment booking settings. */
    retrieve: client.retrieveSingleton<AppointmentBookingSettings, AppointmentBookingSettingsExpand>(requests, path),

    /** Update the appointment booking settings. */
    update: client.update<AppointmentBookingSettings, AppointmentBookingSettingsUpdate>(requests, path),
  };
};
