// Generated from spec/workshop/booking-settings.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';
import type { BookingSlot } from './booking-slot.client.ts';

/** How visits to the workshop can be booked. */
export interface BookingSettings {
  readonly id: string;
  number_of_bays: number | null;
  /** Null until it is first set. */
  holiday_list: string | null;
  visit_minutes: number | null;
  email_reminders: boolean | null;
  /** How many days ahead a visit can be booked. */
  days_ahead: number | null;
  takes_bookings: boolean | null;
  confirmation_page: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export type BookingSettingsUpdate = client.Updatable<BookingSettings, 'holiday_list'>;

/** The line items that booking settings can be shown with. */
export interface BookingSettingsExpand {
  booking_slot: BookingSlot;
}

/** The operations of `/api/workshop/booking-settings`. */
export const bookingSettingsOperations = (requests: client.Requests) => {
  const path = '/api/workshop/booking-settings';
  return {
    /** Retrieve the booking settings. */
    retrieve: client.retrieveSingleton<BookingSettings, BookingSettingsExpand>(requests, path),

    /** Update the booking settings. */
    update: client.update<BookingSettings, BookingSettingsUpdate>(requests, path),
  };
};
