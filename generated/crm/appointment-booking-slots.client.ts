// Generated from spec/crm/appointment-booking-slots.yaml. Edit the spec, then run `npm run generate`.
import * as client from '../../runtime/client/index.ts';

/** A span of time on a day of the week in which appointments can be booked. */
export interface AppointmentBookingSlots {
  readonly id: string;
  idx: number;
  appointment_booking_settings_id: string;
  day_of_week: string;
  from_time: string;
  to_time: string;
}

export type AppointmentBookingSlotsCreate = client.Creatable<
  AppointmentBookingSlots,
  'appointment_booking_settings_id' | 'day_of_week' | 'from_time' | 'to_time'
>;
export type AppointmentBookingSlotsUpdate = client.Updatable<AppointmentBookingSlots>;

/** The filters of lists of appointment booking slots. */
export interface AppointmentBookingSlotsFilter extends client.ItemFilter {
  day_of_week?: client.TextFilter;
}

/** The operations of `/api/crm/appointment-booking-slots`. */
export const appointmentBookingSlotsOperations = (requests: client.Requests) => {
  const path = '/api/crm/appointment-booking-slots';
  return {
    /** List the appointment booking slots of a parent, by idx. */
    ...client.itemLists<AppointmentBookingSlots, AppointmentBookingSlotsFilter>(requests, path),

    /** Create appointment booking slots. */
    create: client.create<AppointmentBookingSlots, AppointmentBookingSlotsCreate>(requests, path),

    /** Update appointment booking slots. */
    update: client.update<AppointmentBookingSlots, AppointmentBookingSlotsUpdate>(requests, path),

    /** Delete appointment booking slots. */
    delete: client.remove(requests, path),

    /** Reorder the appointment booking slots of a parent. */
    reorder: client.reorder<AppointmentBookingSlots>(requests, path),
  };
};
